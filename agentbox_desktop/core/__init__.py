"""The product's ideas as plain data and pure functions: no Qt, no MCP, no I/O."""
