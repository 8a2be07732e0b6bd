"""An agent's Markdown and diffs as HTML for a QTextDocument. What an agent writes is data: nothing in it is fetched,
nothing in it runs, and nothing in it is left out."""

from agentbox_desktop.ui.markdown.diff import diff_html, diff_slices
from agentbox_desktop.ui.markdown.images import image_problem
from agentbox_desktop.ui.markdown.render import render, render_slices

__all__ = ["diff_html", "diff_slices", "image_problem", "render", "render_slices"]
