"""What a model is told about this server when it connects."""

INSTRUCTIONS = """\
AgentBox puts cards and notices on the screen of the person you work for, and brings back what they decide.

Ask when the answer changes what you do next and you cannot find it yourself: a choice between real alternatives \
(ask_user with options), a missing fact or preference (ask_user without options), a step that is destructive, \
costly or visible to others (confirm_action). Do not ask for what the code, the documentation or the task already \
say, and do not ask the same thing twice. notify_user tells without waiting: the end of long work, or a problem.

Asking waits for a person. An answer may take seconds or an hour; that is normal and no error. Leave timeout_s out \
unless you have a good fallback, and then send it as default. While a question waits you may ask others in parallel.

One question, one decision. The title alone must be enough to decide; the body (Markdown) holds the reasons, the \
diff, the command. Options are short, different from each other, and say what happens.

Read outcome first. answered: act on answer, answers or reply (a reply is the person's own words instead of a \
choice: follow them). dismissed or expired: nobody decided, so do not take it for a yes. pending: the question is \
still on screen; call the same tool with that id to go on waiting. If a call was cut off, call it again with the \
same content: you get the same card, and its answer once it is there. confirmed is true only where the person said yes.

retract takes back questions that no longer matter. The resource agentbox://manual/agent says more.
"""
