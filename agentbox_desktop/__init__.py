"""AgentBox Desktop: where AI agents reach their human."""

__version__ = "0.1.0"
