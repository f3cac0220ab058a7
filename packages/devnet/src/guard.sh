#!/bin/sh
# Runs a command that must not outlive its parent. The parent holds the other end of standard input:
# when that closes, even because the parent was killed, the command gets SIGTERM, 5 s later SIGKILL.
# The parent's SIGTERM goes to the whole group; this shell stays to report how the command ended. Before the command starts, for
# the command may be told to end as soon as it has started.
trap : TERM INT
exec 3<&0
"$@" </dev/null 3<&- &
command=$!

# A shell of its own that gives up the output at once: whoever reads it waits until nobody holds it any more.
(
  exec >/dev/null 2>&1
  cat <&3
  kill -TERM "$command"
  sleep 5
  kill -KILL "$command"
) &
watcher=$!

while :; do
  wait "$command"
  status=$?
  kill -0 "$command" 2>/dev/null || break
done
# Not SIGTERM: a shell that has just been forked still has the trap above, and would live on.
kill -KILL "$watcher" 2>/dev/null
exit "$status"
