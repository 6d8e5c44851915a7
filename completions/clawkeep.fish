# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_clawkeep_global_optspecs
    string join \n state-dir= config= profile= dev json q/quiet v/verbose color= no-color no-progress wait= h/help V/version
end

function __fish_clawkeep_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_clawkeep_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_clawkeep_using_subcommand
    set -l cmd (__fish_clawkeep_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c clawkeep -n "__fish_clawkeep_needs_command" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "sessions" -d 'List, explain, clean up and bring back sessions'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "transcript" -d 'Read and search transcripts: conversation, tree, context, statistics'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "disk" -d 'What fills the disk, and making room'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "df" -d 'What fills the disk, and making room'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "du" -d 'What fills the disk, and making room'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "cron" -d 'Sessions and run logs of cron jobs'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "gateway" -d 'The gateway: is one there, whose is it, and who may write now'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "config" -d 'What we understood of the configuration, and where each value came from'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "doctor" -d 'Rules over configuration and state, and their fixes'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "archive" -d 'Folders for verified compressed copies'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "completions" -d 'Print a completion script'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "man" -d 'Write the manual, one page per command'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "demo" -d 'Build a small realistic state and show what a cleanup of it would do'
complete -c clawkeep -n "__fish_clawkeep_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l active -d 'Only rows updated within this many minutes' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l limit -d 'Highest number of rows, or `all` [default: 100]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l sort -d 'Order of the rows [default: updated]' -r -f -a "updated\t'Latest update first'
age\t'Oldest update first'
size\t'Largest transcript first'
tokens\t'Most tokens first'
key\t'By key'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l kind -d 'Only rows of this kind; may be given several times' -r -f -a "direct\t'Direct conversations and everything that is none of the others'
group\t'Groups and channels'
cron\t'Cron jobs and their runs'
global\t'The row `global`'
unknown\t'The row `unknown`'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l key -d 'Only rows whose key matches, `*` and `?` stand for any text and any character' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "list" -d 'List the rows of a store, newest first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "ls" -d 'List the rows of a store, newest first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "show" -d 'One row or file in full: its files, what protects it, which rule takes it when'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "cleanup" -d 'Remove what the retention rules no longer want; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "prune" -d 'Remove what the retention rules no longer want; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "gc" -d 'Remove what the retention rules no longer want; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "check" -d 'Look for damage in index and files; changes nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "fsck" -d 'Look for damage in index and files; changes nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "undo" -d 'Put back what a run took'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "restore" -d 'Bring one session back from wherever something of it is left'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "rm" -d 'Remove chosen sessions, by key, id or pattern'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "runs" -d 'List the recorded runs, or let one go'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "repair" -d 'Mend a damaged index, moved paths, locks of dead processes, leftovers'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and not __fish_seen_subcommand_from list ls show cleanup prune gc check fsck undo restore rm runs repair help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l active -d 'Only rows updated within this many minutes' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l limit -d 'Highest number of rows, or `all` [default: 100]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l sort -d 'Order of the rows [default: updated]' -r -f -a "updated\t'Latest update first'
age\t'Oldest update first'
size\t'Largest transcript first'
tokens\t'Most tokens first'
key\t'By key'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l kind -d 'Only rows of this kind; may be given several times' -r -f -a "direct\t'Direct conversations and everything that is none of the others'
group\t'Groups and channels'
cron\t'Cron jobs and their runs'
global\t'The row `global`'
unknown\t'The row `unknown`'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l key -d 'Only rows whose key matches, `*` and `?` stand for any text and any character' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l active -d 'Only rows updated within this many minutes' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l limit -d 'Highest number of rows, or `all` [default: 100]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l sort -d 'Order of the rows [default: updated]' -r -f -a "updated\t'Latest update first'
age\t'Oldest update first'
size\t'Largest transcript first'
tokens\t'Most tokens first'
key\t'By key'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l kind -d 'Only rows of this kind; may be given several times' -r -f -a "direct\t'Direct conversations and everything that is none of the others'
group\t'Groups and channels'
cron\t'Cron jobs and their runs'
global\t'The row `global`'
unknown\t'The row `unknown`'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l key -d 'Only rows whose key matches, `*` and `?` stand for any text and any character' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from ls" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l active-key -d 'Never take the row with this key; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l keep -d 'Never take rows whose key matches; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l archive-to -d 'Pack files into this folder (see `archive init`) and verify the copy before they are unlinked' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l max-remove -d 'Stop if the pass would take more than N sessions, or P% of them; 0 switches it off' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l prune-after -d 'Age at which rows and unowned files go; archives keep at least the time that the configuration gives them' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l max-entries -d 'Highest number of rows' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l max-disk -d 'Disk budget of the sessions folder' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l high-water -d 'Where a pass over budget stops [default: 80 % of the budget]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l deleted-retention -d 'Age at which `.deleted` archives are unlinked' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l reset-retention -d 'Age at which `.reset` archives are unlinked' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l grace -d 'Nothing touched within this time is taken [default: 10m]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l gateway-state-dir -d 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l enforce -d 'Do it, also if the configured mode is warn'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l fix-missing -d 'Also remove rows whose transcript exists nowhere'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l fix-dm-scope -d 'Also retire direct-message rows of a former `session.dmScope`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l files-only -d 'Touch no row: only files that nothing refers to; also allowed beside a running gateway'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l exit-code -d 'Exit 4 if a limit cannot be met or something needs a person'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from cleanup" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l active-key -d 'Never take the row with this key; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l keep -d 'Never take rows whose key matches; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l archive-to -d 'Pack files into this folder (see `archive init`) and verify the copy before they are unlinked' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l max-remove -d 'Stop if the pass would take more than N sessions, or P% of them; 0 switches it off' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l prune-after -d 'Age at which rows and unowned files go; archives keep at least the time that the configuration gives them' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l max-entries -d 'Highest number of rows' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l max-disk -d 'Disk budget of the sessions folder' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l high-water -d 'Where a pass over budget stops [default: 80 % of the budget]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l deleted-retention -d 'Age at which `.deleted` archives are unlinked' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l reset-retention -d 'Age at which `.reset` archives are unlinked' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l grace -d 'Nothing touched within this time is taken [default: 10m]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l gateway-state-dir -d 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l enforce -d 'Do it, also if the configured mode is warn'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l fix-missing -d 'Also remove rows whose transcript exists nowhere'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l fix-dm-scope -d 'Also retire direct-message rows of a former `session.dmScope`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l files-only -d 'Touch no row: only files that nothing refers to; also allowed beside a running gateway'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l exit-code -d 'Exit 4 if a limit cannot be met or something needs a person'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from prune" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l active-key -d 'Never take the row with this key; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l keep -d 'Never take rows whose key matches; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l archive-to -d 'Pack files into this folder (see `archive init`) and verify the copy before they are unlinked' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l max-remove -d 'Stop if the pass would take more than N sessions, or P% of them; 0 switches it off' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l prune-after -d 'Age at which rows and unowned files go; archives keep at least the time that the configuration gives them' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l max-entries -d 'Highest number of rows' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l max-disk -d 'Disk budget of the sessions folder' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l high-water -d 'Where a pass over budget stops [default: 80 % of the budget]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l deleted-retention -d 'Age at which `.deleted` archives are unlinked' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l reset-retention -d 'Age at which `.reset` archives are unlinked' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l grace -d 'Nothing touched within this time is taken [default: 10m]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l gateway-state-dir -d 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l enforce -d 'Do it, also if the configured mode is warn'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l fix-missing -d 'Also remove rows whose transcript exists nowhere'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l fix-dm-scope -d 'Also retire direct-message rows of a former `session.dmScope`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l files-only -d 'Touch no row: only files that nothing refers to; also allowed beside a running gateway'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l exit-code -d 'Exit 4 if a limit cannot be met or something needs a person'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from gc" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l only -d 'Report only this finding; may be given several times' -r -f -a "index-unreadable\t''
index-damaged\t''
index-missing\t''
index-suspect\t''
index-bom\t''
index-copy\t''
index-bloat\t''
odd-row\t''
no-session\t''
duplicate-key\t''
shadowed-row\t''
duplicate-session\t''
missing-transcript\t''
stuck-run\t''
moved-path\t''
path-elsewhere\t''
path-escapes\t''
time-in-seconds\t''
time-not-ms\t''
time-in-future\t''
file-unreadable\t''
orphan-history\t''
orphan-junk\t''
not-proven\t''
orphan-sidecars\t''
leftover-temp\t''
leftover-backups\t''
damaged-copy\t''
not-regular\t''
empty-transcript\t''
damaged-header\t''
transcript-bom\t''
duplicate-header\t''
torn-tail\t''
no-final-newline\t''
nul-run\t''
glued-records\t''
bad-line\t''
null-line\t''
non-object-line\t''
message-without-role\t''
entry-without-id\t''
blank-lines\t''
bad-unicode\t''
duplicate-entry\t''
parent-cycle\t''
dangling-parent\t''
kept-entry-missing\t''
tree-not-checked\t''
no-answer\t''
no-parents\t''
old-version\t''
newer-version\t''
huge-line\t''
call-without-result\t''
result-without-call\t''
duplicate-turn\t''
stale-lock\t''
unknown-lock\t''
readable-by-others\t''
foreign-owner\t''
pending-run\t''
run-unreadable\t''
ownership-incomplete\t''
shared-folder\t''
newer-generation\t''
other-state-dir\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l full -d 'Read every line of every transcript'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from check" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l only -d 'Report only this finding; may be given several times' -r -f -a "index-unreadable\t''
index-damaged\t''
index-missing\t''
index-suspect\t''
index-bom\t''
index-copy\t''
index-bloat\t''
odd-row\t''
no-session\t''
duplicate-key\t''
shadowed-row\t''
duplicate-session\t''
missing-transcript\t''
stuck-run\t''
moved-path\t''
path-elsewhere\t''
path-escapes\t''
time-in-seconds\t''
time-not-ms\t''
time-in-future\t''
file-unreadable\t''
orphan-history\t''
orphan-junk\t''
not-proven\t''
orphan-sidecars\t''
leftover-temp\t''
leftover-backups\t''
damaged-copy\t''
not-regular\t''
empty-transcript\t''
damaged-header\t''
transcript-bom\t''
duplicate-header\t''
torn-tail\t''
no-final-newline\t''
nul-run\t''
glued-records\t''
bad-line\t''
null-line\t''
non-object-line\t''
message-without-role\t''
entry-without-id\t''
blank-lines\t''
bad-unicode\t''
duplicate-entry\t''
parent-cycle\t''
dangling-parent\t''
kept-entry-missing\t''
tree-not-checked\t''
no-answer\t''
no-parents\t''
old-version\t''
newer-version\t''
huge-line\t''
call-without-result\t''
result-without-call\t''
duplicate-turn\t''
stale-lock\t''
unknown-lock\t''
readable-by-others\t''
foreign-owner\t''
pending-run\t''
run-unreadable\t''
ownership-incomplete\t''
shared-folder\t''
newer-generation\t''
other-state-dir\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l full -d 'Read every line of every transcript'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from fsck" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l key -d 'Put back only the session with this key or id; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l file -d 'Put back only this file, by the name it had or has now; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -s n -l dry-run -d 'Show what would be put back, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -s y -l yes -d 'Do not ask, also if the gateway\'s own limits would take the rows again'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from undo" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l as -d 'Bring it back under this key, for a key that is taken or not known any more' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l at -d 'Bring back what there was at this time: an ISO time, a date (its end, UTC), or how long ago, such as 3d' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l archive-to -d 'Also look in this archive folder (see `archive init`); may be given several times' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l list -d 'Show every copy that is left, with date, turns and the first line of the user; write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -s y -l yes -d 'Do not ask, also if the gateway\'s own limits would take the row again'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from restore" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l active-key -d 'Never take the row with this key; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l purge -d 'Remove for good, with everything that is kept of these sessions'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from rm" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l forget -d 'Let go of this run\'s record for good: it cannot be undone any more; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l limit -d 'Show at most this many, the newest' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from runs" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l only -d 'Do only this kind of repair (an id that check names); may be given several times' -r -f -a "salvage-index\t''
from-snapshots\t''
drop-shadowed\t''
drop-missing\t''
end-runs\t''
repoint-paths\t''
adopt\t''
stale-locks\t''
leftovers\t''
strip-field\t''
modes\t''
finish-run\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l from -d 'Take rows from here alone: `snapshots`, `salvage`, `headers`, or a file that holds an index' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l adopt -d 'Make a row for the transcript with this session id or name; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l strip-field -d 'Take this field out of every row, e.g. systemPromptReport; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l drop-missing -d 'Also remove rows whose transcript is nowhere'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l end-runs -d 'Also set rows that say running, and were not touched for a day, to failed'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l modes -d 'Also take group and world rights from transcripts and index'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -s y -l yes -d 'Do not ask, also if rows are lost or the gateway\'s own limits would take rows again'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from repair" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "list" -d 'List the rows of a store, newest first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "show" -d 'One row or file in full: its files, what protects it, which rule takes it when'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "cleanup" -d 'Remove what the retention rules no longer want; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "check" -d 'Look for damage in index and files; changes nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "undo" -d 'Put back what a run took'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "restore" -d 'Bring one session back from wherever something of it is left'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "rm" -d 'Remove chosen sessions, by key, id or pattern'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "runs" -d 'List the recorded runs, or let one go'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "repair" -d 'Mend a damaged index, moved paths, locks of dead processes, leftovers'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand sessions; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "show" -d 'The conversation, as a person reads it'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "tree" -d 'Branches, the active leaf, compactions and labels'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "context" -d 'What the model sees next turn, message by message, with token estimates'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "stats" -d 'Entries, tokens, cost, tool calls and bytes, of one transcript or of many'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "search" -d 'Look for text in messages, tool calls and results'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "check" -d 'Look for damage, line by line; changes nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "repair" -d 'Mend damage and keep every undamaged byte'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "export" -d 'Write the conversation as HTML, Markdown or JSON Lines'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and not __fish_seen_subcommand_from show tree context stats search check repair export help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l tail -d 'Only the last N messages' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l head -d 'Only the first N messages' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l from -d 'Begin at this entry id, or at this time (2026-05-01, 2026-05-01T08:00:00Z, 3d)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l to -d 'End with this entry id, or at this time' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l entry -d 'One entry in full' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l all-branches -d 'Every entry of the file in file order, not only the active branch'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l recovered -d 'Also whole records that stand on damaged lines, which the gateway does not see'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l raw -d 'The records as they stand in the file'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l full -d 'Tool arguments and results, thinking and system notes in full'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l no-pager -d 'No pager'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l no-cache -d 'Read the transcript anew, and keep nothing for the next time'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l all -d 'Every entry on a line of its own, also within a branch'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l recovered -d 'Also whole records that stand on damaged lines, which the gateway does not see'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l no-cache -d 'Read the transcript anew, and keep nothing for the next time'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from tree" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l window -d 'Context window of the model in tokens [default: that of the session\'s row]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l reserve -d 'Tokens kept free for the answer [default: from the configuration, else 20000]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l keep-recent -d 'Tokens of recent messages that a compaction keeps [default: from the configuration, else 20000]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l no-cache -d 'Read the transcript anew, and keep nothing for the next time'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from context" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l tz -d 'Time zone of the days, such as Europe/Berlin or UTC [default: $TZ, else that of this machine]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l top -d 'How many tools, models and large results are shown' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l no-archives -d 'Leave out what was reset or deleted (.reset and .deleted archives)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from stats" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l role -d 'Only messages of this role; may be given several times' -r -f -a "user\t'What people wrote'
assistant\t'Answers, thinking and tool calls of the model'
tool\t'Results of tools'
summary\t'Summaries of compactions and branches'
custom\t'Messages that plug-ins put in'
bash\t'Commands that people ran'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l tool -d 'Only calls and results of this tool; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l since -d 'Only entries since then: a time, a date, or how long ago, such as 3d' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l limit -d 'Stop after so many matches' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -s E -l regex -d 'The text is a regular expression'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -s i -l ignore-case -d 'Upper and lower case are one'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l archives -d 'Also .reset and .deleted archives'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from search" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from check" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l upgrade -d 'Also rewrite a transcript of version 1 or 2 as version 3, as the gateway does when it opens one'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from repair" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l format -d 'What to write' -r -f -a "html\t'One page that needs nothing else: no scripts, no network'
markdown\t'Markdown'
jsonl\t'The records of the branch, byte for byte, as a transcript of their own'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -s o -l output -d 'File to write; nothing said, or `-`: standard output. A file that exists is left alone' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l images -d 'Images' -r -f -a "embed\t'Into the page (HTML only)'
reference\t'A note of type, size and entry in their place'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l all-branches -d 'Every branch, not only the active one'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l redact -d 'Leave out what looks like a key or token, and every value that the configuration marks as a secret'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from export" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "show" -d 'The conversation, as a person reads it'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "tree" -d 'Branches, the active leaf, compactions and labels'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "context" -d 'What the model sees next turn, message by message, with token estimates'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "stats" -d 'Entries, tokens, cost, tool calls and bytes, of one transcript or of many'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "search" -d 'Look for text in messages, tool calls and results'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "check" -d 'Look for damage, line by line; changes nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "repair" -d 'Mend damage and keep every undamaged byte'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "export" -d 'Write the conversation as HTML, Markdown or JSON Lines'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand transcript; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l top -d 'Also name the N largest files' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -f -a "free" -d 'Make room: takes only what the rules allow, what is final already first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and not __fish_seen_subcommand_from free help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l need -d 'Free this many bytes' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l keep-free -d 'Go on until this much of the volume is free [default: `keepFree` of clawkeep.json5]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l to-budget -d 'Go on until the folder is at the high-water mark of its budget'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l take-archives -d 'Also take archives whose retention still runs, oldest first, after everything else'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -s n -l dry-run -d 'Show what would go, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from free" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from help" -f -a "free" -d 'Make room: takes only what the rules allow, what is final already first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand disk; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l top -d 'Also name the N largest files' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -f -a "free" -d 'Make room: takes only what the rules allow, what is final already first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and not __fish_seen_subcommand_from free help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l need -d 'Free this many bytes' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l keep-free -d 'Go on until this much of the volume is free [default: `keepFree` of clawkeep.json5]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l to-budget -d 'Go on until the folder is at the high-water mark of its budget'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l take-archives -d 'Also take archives whose retention still runs, oldest first, after everything else'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -s n -l dry-run -d 'Show what would go, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from free" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from help" -f -a "free" -d 'Make room: takes only what the rules allow, what is final already first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand df; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l top -d 'Also name the N largest files' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -f -a "free" -d 'Make room: takes only what the rules allow, what is final already first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and not __fish_seen_subcommand_from free help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l need -d 'Free this many bytes' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l keep-free -d 'Go on until this much of the volume is free [default: `keepFree` of clawkeep.json5]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l to-budget -d 'Go on until the folder is at the high-water mark of its budget'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l take-archives -d 'Also take archives whose retention still runs, oldest first, after everything else'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -s n -l dry-run -d 'Show what would go, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from free" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from help" -f -a "free" -d 'Make room: takes only what the rules allow, what is final already first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand du; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -f -a "status" -d 'Jobs, the sessions of their runs, and their run logs'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -f -a "prune" -d 'Apply the retention of run sessions and the bounds of run logs; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and not __fish_seen_subcommand_from status prune help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from status" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l store -d 'Index of one store; `~` and `{agentId}` are understood' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l agent -d 'Agent whose store to look at; may be given several times' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l session-retention -d 'Age at which sessions of cron runs go; a bare number is hours' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l all-agents -d 'The stores of all configured agents'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l include-unconfigured -d 'With --all-agents, also agents that exist on disk only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -s n -l dry-run -d 'Show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l enforce -d 'Do it, also if the configured mode is warn'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l files-only -d 'Touch no row: only trim run logs that are not being written; also allowed beside a running gateway'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -s y -l yes -d 'Do not ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from prune" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from help" -f -a "status" -d 'Jobs, the sessions of their runs, and their run logs'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from help" -f -a "prune" -d 'Apply the retention of run sessions and the bounds of run logs; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand cron; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -f -a "status" -d 'Is one there, whose, which version, may it be asked to clean up, and who may write now'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and not __fish_seen_subcommand_from status help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l gateway-url -d 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l gateway-token-file -d 'Read the gateway\'s token from the first line of this file; no other token is used' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l gateway-tls-fingerprint -d 'SHA-256 fingerprint of the certificate that a wss:// gateway must show' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l gateway-state-dir -d 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from status" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from help" -f -a "status" -d 'Is one there, whose, which version, may it be asked to clean up, and who may write now'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand gateway; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -f -a "path" -d 'Which files are read, and why those'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -f -a "get" -d 'Values in force, with their origin'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -f -a "validate" -d 'Check the values that this program uses'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and not __fish_seen_subcommand_from path get validate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from path" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from get" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from validate" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "path" -d 'Which files are read, and why those'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "get" -d 'Values in force, with their origin'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "validate" -d 'Check the values that this program uses'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l explain -d 'Explain one rule and end' -r -f -a "routing-groups\t''
thread-bindings-ttl\t''
thread-bindings-spawn\t''
audio-transcription\t''
agents-defaults-llm\t''
agents-runtime\t''
sandbox-per-session\t''
memory-search-root\t''
heartbeat-root\t''
control-ui-origins\t''
gateway-bind-host\t''
mcp-server-type\t''
plugins-bundled-discovery\t''
x-search-key\t''
session-rotate-bytes\t''
session-parent-fork-max-tokens\t''
tts-providers\t''
tts-enabled\t''
web-search-providers\t''
telegram-mentions\t''
channel-streaming\t''
channel-dm-policy\t''
channel-allow-enabled\t''
channel-private-network\t''
discord-channel-agent\t''
discord-numeric-ids\t''
memory-wiki-bridge\t''
canvas-host\t''
voice-call-legacy\t''
channels-default-account\t''
browser-legacy\t''
web-fetch-firecrawl\t''
skill-nano-banana\t''
talk-legacy\t''
provider-api-openai\t''
model-runtime-refs\t''
message-cross-context\t''
messages-visible-replies\t''
media-deepgram\t''
mistral-max-tokens\t''
secret-ref-markers\t''
commands-models-write\t''
codex-model-marks\t''
codex-model-routes\t''
codex-dynamic-tools-profile\t''
dm-open-allow-from\t''
tools-by-sender-keys\t''
safe-bins-profile\t''
agent-root\t''
routing-agents\t''
identity-root\t''
routing-queue-bindings\t''
bindings-account-id\t''
config-unreadable\t''
config-bad-values\t''
config-unknown-keys\t''
config-unset-variables\t''
config-managed\t''
config-for-2026-9\t''
legacy-sessions-dir\t''
legacy-agent-dir\t''
session-keys\t''
codex-sessions\t''
cron-context\t''
wedged-subagents\t''
heartbeat-main\t''
cron-shapes\t''
sandbox-registry\t''
memory-split\t''
old-state-dir\t''
old-config-name\t''
stale-locks\t''
main-session\t''
sessions-check\t''
orphan-transcripts\t''
index-bloat\t''
clock\t''
silent-turns\t''
prompt-branches\t''
mode-unset\t''
disk-budget\t''
protected-at-cap\t''
growth\t''
early-compaction\t''
open-modes\t''
unlisted-agents\t''
state-dirs\t''
newer-generation\t''
next-import\t''
owner\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l only -d 'Ask only this rule; may be given several times' -r -f -a "routing-groups\t''
thread-bindings-ttl\t''
thread-bindings-spawn\t''
audio-transcription\t''
agents-defaults-llm\t''
agents-runtime\t''
sandbox-per-session\t''
memory-search-root\t''
heartbeat-root\t''
control-ui-origins\t''
gateway-bind-host\t''
mcp-server-type\t''
plugins-bundled-discovery\t''
x-search-key\t''
session-rotate-bytes\t''
session-parent-fork-max-tokens\t''
tts-providers\t''
tts-enabled\t''
web-search-providers\t''
telegram-mentions\t''
channel-streaming\t''
channel-dm-policy\t''
channel-allow-enabled\t''
channel-private-network\t''
discord-channel-agent\t''
discord-numeric-ids\t''
memory-wiki-bridge\t''
canvas-host\t''
voice-call-legacy\t''
channels-default-account\t''
browser-legacy\t''
web-fetch-firecrawl\t''
skill-nano-banana\t''
talk-legacy\t''
provider-api-openai\t''
model-runtime-refs\t''
message-cross-context\t''
messages-visible-replies\t''
media-deepgram\t''
mistral-max-tokens\t''
secret-ref-markers\t''
commands-models-write\t''
codex-model-marks\t''
codex-model-routes\t''
codex-dynamic-tools-profile\t''
dm-open-allow-from\t''
tools-by-sender-keys\t''
safe-bins-profile\t''
agent-root\t''
routing-agents\t''
identity-root\t''
routing-queue-bindings\t''
bindings-account-id\t''
config-unreadable\t''
config-bad-values\t''
config-unknown-keys\t''
config-unset-variables\t''
config-managed\t''
config-for-2026-9\t''
legacy-sessions-dir\t''
legacy-agent-dir\t''
session-keys\t''
codex-sessions\t''
cron-context\t''
wedged-subagents\t''
heartbeat-main\t''
cron-shapes\t''
sandbox-registry\t''
memory-split\t''
old-state-dir\t''
old-config-name\t''
stale-locks\t''
main-session\t''
sessions-check\t''
orphan-transcripts\t''
index-bloat\t''
clock\t''
silent-turns\t''
prompt-branches\t''
mode-unset\t''
disk-budget\t''
protected-at-cap\t''
growth\t''
early-compaction\t''
open-modes\t''
unlisted-agents\t''
state-dirs\t''
newer-generation\t''
next-import\t''
owner\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l skip -d 'Do not ask this rule; may be given several times' -r -f -a "routing-groups\t''
thread-bindings-ttl\t''
thread-bindings-spawn\t''
audio-transcription\t''
agents-defaults-llm\t''
agents-runtime\t''
sandbox-per-session\t''
memory-search-root\t''
heartbeat-root\t''
control-ui-origins\t''
gateway-bind-host\t''
mcp-server-type\t''
plugins-bundled-discovery\t''
x-search-key\t''
session-rotate-bytes\t''
session-parent-fork-max-tokens\t''
tts-providers\t''
tts-enabled\t''
web-search-providers\t''
telegram-mentions\t''
channel-streaming\t''
channel-dm-policy\t''
channel-allow-enabled\t''
channel-private-network\t''
discord-channel-agent\t''
discord-numeric-ids\t''
memory-wiki-bridge\t''
canvas-host\t''
voice-call-legacy\t''
channels-default-account\t''
browser-legacy\t''
web-fetch-firecrawl\t''
skill-nano-banana\t''
talk-legacy\t''
provider-api-openai\t''
model-runtime-refs\t''
message-cross-context\t''
messages-visible-replies\t''
media-deepgram\t''
mistral-max-tokens\t''
secret-ref-markers\t''
commands-models-write\t''
codex-model-marks\t''
codex-model-routes\t''
codex-dynamic-tools-profile\t''
dm-open-allow-from\t''
tools-by-sender-keys\t''
safe-bins-profile\t''
agent-root\t''
routing-agents\t''
identity-root\t''
routing-queue-bindings\t''
bindings-account-id\t''
config-unreadable\t''
config-bad-values\t''
config-unknown-keys\t''
config-unset-variables\t''
config-managed\t''
config-for-2026-9\t''
legacy-sessions-dir\t''
legacy-agent-dir\t''
session-keys\t''
codex-sessions\t''
cron-context\t''
wedged-subagents\t''
heartbeat-main\t''
cron-shapes\t''
sandbox-registry\t''
memory-split\t''
old-state-dir\t''
old-config-name\t''
stale-locks\t''
main-session\t''
sessions-check\t''
orphan-transcripts\t''
index-bloat\t''
clock\t''
silent-turns\t''
prompt-branches\t''
mode-unset\t''
disk-budget\t''
protected-at-cap\t''
growth\t''
early-compaction\t''
open-modes\t''
unlisted-agents\t''
state-dirs\t''
newer-generation\t''
next-import\t''
owner\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l for -d 'Judge for this version of the gateway, for example 2026.9 before an update to it [default: the one that wrote the configuration last, at least 2026.5.12]' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l fail-on -d 'Gravity from which findings make the exit code 4' -r -f -a "error\t'Errors'
warning\t'Errors and warnings'
info\t'Every finding'
never\t'Never'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l override -d 'Pass one refusal, named by the token it printed; may be given several times' -r -f -a "live-gateway\t''
owner-unknown\t''
legacy-store\t''
suspect-index\t''
owner-change\t''
managed-config\t''
large-removal\t''
partial-undo\t''"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l fix -l repair -d 'Do what is safe'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -s n -l dry-run -d 'With --fix: show what would be done, write nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l list -d 'Name every rule and end'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l diff -d 'Show each edit of the configuration as a diff'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l config-only -d 'Only the configuration'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l state-only -d 'Only the state'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l drop-unknown -d 'With --fix: also remove keys that gateway 2026.5.12 does not know; not if the configuration is judged for a newer one'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l archive-orphans -d 'With --fix: also rename transcripts that no row leads to, to NAME.deleted.TIME'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l modes -d 'With --fix: also take the rights of group and others from the state folder and the configuration'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l full -d 'Read every line of every transcript'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -s y -l yes -d 'Do not ask, also if a running gateway reads the new configuration at once'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l non-interactive -d 'Never ask'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l deep -d 'The same as --full (the gateway\'s own doctor has this flag)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l no-workspace-suggestions -d 'No effect (the gateway\'s own doctor has this flag)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand doctor" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -f -a "init" -d 'Make a folder an archive, once'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and not __fish_seen_subcommand_from init help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from init" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from help" -f -a "init" -d 'Make a folder an archive, once'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand archive; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand completions" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand man" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l keep -d 'Build the state here and leave it, to try commands on it; must be new or empty' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l state-dir -d 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l config -d 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]' -r -F
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l profile -d 'Use the state of a named profile (~/.openclaw-NAME)' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless $NO_COLOR is set'
always\t'Also into files and pipes'
never\t'Not at all'"
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l wait -d 'Keep asking this long for a lock that another run holds, for example 30s' -r
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l dev -d 'Use the state of the profile `dev`'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l json -d 'One JSON value on stdout instead of a report'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -s q -l quiet -d 'No report, only warnings and errors; twice: errors only'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -s v -l verbose -d 'Every item, and what is being done'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l no-color -d 'Never use colour'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -l no-progress -d 'No progress bars'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand demo" -s V -l version -d 'Print version'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "sessions" -d 'List, explain, clean up and bring back sessions'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "transcript" -d 'Read and search transcripts: conversation, tree, context, statistics'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "disk" -d 'What fills the disk, and making room'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "cron" -d 'Sessions and run logs of cron jobs'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "gateway" -d 'The gateway: is one there, whose is it, and who may write now'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "config" -d 'What we understood of the configuration, and where each value came from'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "doctor" -d 'Rules over configuration and state, and their fixes'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "archive" -d 'Folders for verified compressed copies'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "completions" -d 'Print a completion script'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "man" -d 'Write the manual, one page per command'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "demo" -d 'Build a small realistic state and show what a cleanup of it would do'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and not __fish_seen_subcommand_from sessions transcript disk cron gateway config doctor archive completions man demo help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "list" -d 'List the rows of a store, newest first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "show" -d 'One row or file in full: its files, what protects it, which rule takes it when'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "cleanup" -d 'Remove what the retention rules no longer want; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "check" -d 'Look for damage in index and files; changes nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "undo" -d 'Put back what a run took'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "restore" -d 'Bring one session back from wherever something of it is left'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "rm" -d 'Remove chosen sessions, by key, id or pattern'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "runs" -d 'List the recorded runs, or let one go'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from sessions" -f -a "repair" -d 'Mend a damaged index, moved paths, locks of dead processes, leftovers'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "show" -d 'The conversation, as a person reads it'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "tree" -d 'Branches, the active leaf, compactions and labels'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "context" -d 'What the model sees next turn, message by message, with token estimates'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "stats" -d 'Entries, tokens, cost, tool calls and bytes, of one transcript or of many'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "search" -d 'Look for text in messages, tool calls and results'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "check" -d 'Look for damage, line by line; changes nothing'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "repair" -d 'Mend damage and keep every undamaged byte'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from transcript" -f -a "export" -d 'Write the conversation as HTML, Markdown or JSON Lines'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from disk" -f -a "free" -d 'Make room: takes only what the rules allow, what is final already first'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from cron" -f -a "status" -d 'Jobs, the sessions of their runs, and their run logs'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from cron" -f -a "prune" -d 'Apply the retention of run sessions and the bounds of run logs; writes only with --enforce'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from gateway" -f -a "status" -d 'Is one there, whose, which version, may it be asked to clean up, and who may write now'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "path" -d 'Which files are read, and why those'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "get" -d 'Values in force, with their origin'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "validate" -d 'Check the values that this program uses'
complete -c clawkeep -n "__fish_clawkeep_using_subcommand help; and __fish_seen_subcommand_from archive" -f -a "init" -d 'Make a folder an archive, once'
