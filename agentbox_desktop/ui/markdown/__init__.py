"""An agent's Markdown and diffs as HTML for a QTextDocument. What an agent writes is data: nothing in it is fetched,
nothing in it runs, and nothing in it is left out.

Nothing is imported here: a card without a body must not wait for the parser and the highlighter.
"""
