"""The command `agentbox`: the standard library and the core only, each import as late as it can be."""
