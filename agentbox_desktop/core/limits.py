"""Every size and duration that is checked at the door, in one place.

Characters are Unicode code points; sizes are bytes of UTF-8; durations are seconds.
"""

TITLE_CHARS = 200
BODY_BYTES = 256 * 1024
OPTIONS_MIN = 2
OPTIONS_MAX = 9
OPTION_LABEL_CHARS = 80
OPTION_DESCRIPTION_CHARS = 200
PREVIEW_BYTES = 256 * 1024
SPEAK_CHARS = 240
ANSWER_BYTES = 256 * 1024
PATH_CHARS = 4096
KEY_CHARS = 200
LABEL_CHARS = 120
IMAGE_BYTES = 8 * 1024 * 1024

TIMEOUT_MIN_S = 5
TIMEOUT_MAX_S = 366 * 24 * 3600

KEEP_ALIVE_S = 60
UNHEARD_BOUND_S = 25 * 60  # a caller that asked for no progress is bounded here
CLIENT_CUT_MARGIN_S = 30  # a client that cuts calls is answered this long before
PERMISSION_REPLAY_S = 10 * 60  # an undelivered permission older than this is asked again

TOAST_S = 6
TOASTS_AT_ONCE = 3
UNDO_MAX_S = 5

LINE_BYTES = 16 * 1024 * 1024  # one JSON line on the local socket
HISTORY_DAYS = 30
