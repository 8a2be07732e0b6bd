"""An MCP server on the SDK, over its own pipes, with as many trivial tools as AgentBox will have."""

from mcp.server import MCPServer

TOOLS = 39


def main() -> None:
    server = MCPServer("peer")
    for number in range(TOOLS):

        def trivial(title: str, body: str = "") -> str:
            """Say it back."""
            return title + body

        server.add_tool(trivial, name=f"tool_{number}")
    server.run("stdio")


if __name__ == "__main__":
    main()
