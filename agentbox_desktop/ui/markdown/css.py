"""The style sheet of a text document: what Qt understands of CSS, with our tokens in it."""

from agentbox_desktop.ui.theme import MONO_FAMILIES, TYPE, Theme

MONO = ", ".join(f"'{family}'" for family in MONO_FAMILIES)


def css(theme: Theme) -> str:
    """The rules for everything that `render` and `diff_html` make."""
    px, line = theme.px, theme.line_height
    code_line = f"line-height:{line('code')}px; -qt-line-height-type:minimum"
    return f"""
body {{ color:{theme.hex("ink")}; font-size:{px("body")}px; }}
p {{ margin:0 0 {_gap(theme, 8)}px 0; line-height:{line("body")}px; -qt-line-height-type:minimum; }}
li {{ line-height:{line("body")}px; -qt-line-height-type:minimum; margin:0 0 {_gap(theme, 2)}px 0; }}
li p {{ margin:0 0 {_gap(theme, 4)}px 0; }}
ul, ol {{ margin:0 0 {_gap(theme, 8)}px 0; }}
.h1, .h2, .h3, .h4, .h5, .h6 {{ font-weight:600; margin:{_gap(theme, 12)}px 0 {_gap(theme, 4)}px 0; }}
.h1 {{ font-size:{px("card_title")}px; line-height:{line("card_title")}px; }}
.h2 {{ font-size:{round(px("body") * 16 / TYPE["body"][0])}px; }}
.h5, .h6 {{ color:{theme.hex("ink2")}; }}
.rule {{ font-size:1px; line-height:1px; -qt-line-height-type:fixed; margin:{_gap(theme, 8)}px 0 {_gap(theme, 12)}px 0;
  background-color:{theme.hex("hairline")}; }}
a {{ color:{theme.hex("accent")}; text-decoration:underline; }}
code {{ font-family:{MONO}; font-size:{px("code")}px; background-color:{theme.hex("sunk")}; white-space:pre-wrap; }}
pre {{ font-family:{MONO}; font-size:{px("code")}px; margin:0; white-space:pre-wrap; {code_line}; }}
.quiet {{ color:{theme.hex("ink2")}; }}
.unseen {{ color:{theme.hex("ink2")}; background-color:{theme.hex("sunk")}; }}
.quote {{ color:{theme.hex("ink2")}; }}
th {{ font-weight:600; text-align:left; background-color:{theme.hex("raised")}; }}
th, td.cell {{ padding:{_gap(theme, 4)}px {_gap(theme, 8)}px; border:1px solid {theme.hex("hairline")}; }}
"""


def _gap(theme: Theme, pixels: int) -> int:
    return round(pixels * theme.font_scale)
