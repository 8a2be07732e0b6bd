"""`agentbox setup CLIENT`: makes an MCP client start the bridge, and takes that back again."""
