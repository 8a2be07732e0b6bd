"""The one way to say no: a sentence that names what is wrong and the right form."""


class Refused(Exception):
    """A request that can't be met; `message` is one sentence for whoever sent it.

    `code` is a stable word for programs (for example `not_found`, `changed`, `person_only`).
    """

    def __init__(self, message: str, code: str = "refused") -> None:
        super().__init__(message)
        self.message = message
        self.code = code
