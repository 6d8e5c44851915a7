
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'clawkeep' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'clawkeep'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'clawkeep' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('sessions', 'sessions', [CompletionResultType]::ParameterValue, 'List, explain, clean up and bring back sessions')
            [CompletionResult]::new('transcript', 'transcript', [CompletionResultType]::ParameterValue, 'Read and search transcripts: conversation, tree, context, statistics')
            [CompletionResult]::new('disk', 'disk', [CompletionResultType]::ParameterValue, 'What fills the disk, and making room')
            [CompletionResult]::new('df', 'df', [CompletionResultType]::ParameterValue, 'What fills the disk, and making room')
            [CompletionResult]::new('du', 'du', [CompletionResultType]::ParameterValue, 'What fills the disk, and making room')
            [CompletionResult]::new('cron', 'cron', [CompletionResultType]::ParameterValue, 'Sessions and run logs of cron jobs')
            [CompletionResult]::new('gateway', 'gateway', [CompletionResultType]::ParameterValue, 'The gateway: is one there, whose is it, and who may write now')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'What we understood of the configuration, and where each value came from')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Rules over configuration and state, and their fixes')
            [CompletionResult]::new('archive', 'archive', [CompletionResultType]::ParameterValue, 'Folders for verified compressed copies')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual, one page per command')
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Build a small realistic state and show what a cleanup of it would do')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;sessions' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--active', '--active', [CompletionResultType]::ParameterName, 'Only rows updated within this many minutes')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Highest number of rows, or `all` [default: 100]')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order of the rows [default: updated]')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Only rows of this kind; may be given several times')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Only rows whose key matches, `*` and `?` stand for any text and any character')
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the rows of a store, newest first')
            [CompletionResult]::new('ls', 'ls', [CompletionResultType]::ParameterValue, 'List the rows of a store, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'One row or file in full: its files, what protects it, which rule takes it when')
            [CompletionResult]::new('cleanup', 'cleanup', [CompletionResultType]::ParameterValue, 'Remove what the retention rules no longer want; writes only with --enforce')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Remove what the retention rules no longer want; writes only with --enforce')
            [CompletionResult]::new('gc', 'gc', [CompletionResultType]::ParameterValue, 'Remove what the retention rules no longer want; writes only with --enforce')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for damage in index and files; changes nothing')
            [CompletionResult]::new('fsck', 'fsck', [CompletionResultType]::ParameterValue, 'Look for damage in index and files; changes nothing')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Put back what a run took')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Bring one session back from wherever something of it is left')
            [CompletionResult]::new('rm', 'rm', [CompletionResultType]::ParameterValue, 'Remove chosen sessions, by key, id or pattern')
            [CompletionResult]::new('runs', 'runs', [CompletionResultType]::ParameterValue, 'List the recorded runs, or let one go')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Mend a damaged index, moved paths, locks of dead processes, leftovers')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;sessions;list' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--active', '--active', [CompletionResultType]::ParameterName, 'Only rows updated within this many minutes')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Highest number of rows, or `all` [default: 100]')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order of the rows [default: updated]')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Only rows of this kind; may be given several times')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Only rows whose key matches, `*` and `?` stand for any text and any character')
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;ls' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--active', '--active', [CompletionResultType]::ParameterName, 'Only rows updated within this many minutes')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Highest number of rows, or `all` [default: 100]')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order of the rows [default: updated]')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Only rows of this kind; may be given several times')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Only rows whose key matches, `*` and `?` stand for any text and any character')
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;show' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;cleanup' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--active-key', '--active-key', [CompletionResultType]::ParameterName, 'Never take the row with this key; may be given several times')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Never take rows whose key matches; may be given several times')
            [CompletionResult]::new('--archive-to', '--archive-to', [CompletionResultType]::ParameterName, 'Pack files into this folder (see `archive init`) and verify the copy before they are unlinked')
            [CompletionResult]::new('--max-remove', '--max-remove', [CompletionResultType]::ParameterName, 'Stop if the pass would take more than N sessions, or P% of them; 0 switches it off')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--prune-after', '--prune-after', [CompletionResultType]::ParameterName, 'Age at which rows and unowned files go; archives keep at least the time that the configuration gives them')
            [CompletionResult]::new('--max-entries', '--max-entries', [CompletionResultType]::ParameterName, 'Highest number of rows')
            [CompletionResult]::new('--max-disk', '--max-disk', [CompletionResultType]::ParameterName, 'Disk budget of the sessions folder')
            [CompletionResult]::new('--high-water', '--high-water', [CompletionResultType]::ParameterName, 'Where a pass over budget stops [default: 80 % of the budget]')
            [CompletionResult]::new('--deleted-retention', '--deleted-retention', [CompletionResultType]::ParameterName, 'Age at which `.deleted` archives are unlinked')
            [CompletionResult]::new('--reset-retention', '--reset-retention', [CompletionResultType]::ParameterName, 'Age at which `.reset` archives are unlinked')
            [CompletionResult]::new('--grace', '--grace', [CompletionResultType]::ParameterName, 'Nothing touched within this time is taken [default: 10m]')
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--gateway-state-dir', '--gateway-state-dir', [CompletionResultType]::ParameterName, 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--enforce', '--enforce', [CompletionResultType]::ParameterName, 'Do it, also if the configured mode is warn')
            [CompletionResult]::new('--fix-missing', '--fix-missing', [CompletionResultType]::ParameterName, 'Also remove rows whose transcript exists nowhere')
            [CompletionResult]::new('--fix-dm-scope', '--fix-dm-scope', [CompletionResultType]::ParameterName, 'Also retire direct-message rows of a former `session.dmScope`')
            [CompletionResult]::new('--files-only', '--files-only', [CompletionResultType]::ParameterName, 'Touch no row: only files that nothing refers to; also allowed beside a running gateway')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit 4 if a limit cannot be met or something needs a person')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;prune' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--active-key', '--active-key', [CompletionResultType]::ParameterName, 'Never take the row with this key; may be given several times')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Never take rows whose key matches; may be given several times')
            [CompletionResult]::new('--archive-to', '--archive-to', [CompletionResultType]::ParameterName, 'Pack files into this folder (see `archive init`) and verify the copy before they are unlinked')
            [CompletionResult]::new('--max-remove', '--max-remove', [CompletionResultType]::ParameterName, 'Stop if the pass would take more than N sessions, or P% of them; 0 switches it off')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--prune-after', '--prune-after', [CompletionResultType]::ParameterName, 'Age at which rows and unowned files go; archives keep at least the time that the configuration gives them')
            [CompletionResult]::new('--max-entries', '--max-entries', [CompletionResultType]::ParameterName, 'Highest number of rows')
            [CompletionResult]::new('--max-disk', '--max-disk', [CompletionResultType]::ParameterName, 'Disk budget of the sessions folder')
            [CompletionResult]::new('--high-water', '--high-water', [CompletionResultType]::ParameterName, 'Where a pass over budget stops [default: 80 % of the budget]')
            [CompletionResult]::new('--deleted-retention', '--deleted-retention', [CompletionResultType]::ParameterName, 'Age at which `.deleted` archives are unlinked')
            [CompletionResult]::new('--reset-retention', '--reset-retention', [CompletionResultType]::ParameterName, 'Age at which `.reset` archives are unlinked')
            [CompletionResult]::new('--grace', '--grace', [CompletionResultType]::ParameterName, 'Nothing touched within this time is taken [default: 10m]')
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--gateway-state-dir', '--gateway-state-dir', [CompletionResultType]::ParameterName, 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--enforce', '--enforce', [CompletionResultType]::ParameterName, 'Do it, also if the configured mode is warn')
            [CompletionResult]::new('--fix-missing', '--fix-missing', [CompletionResultType]::ParameterName, 'Also remove rows whose transcript exists nowhere')
            [CompletionResult]::new('--fix-dm-scope', '--fix-dm-scope', [CompletionResultType]::ParameterName, 'Also retire direct-message rows of a former `session.dmScope`')
            [CompletionResult]::new('--files-only', '--files-only', [CompletionResultType]::ParameterName, 'Touch no row: only files that nothing refers to; also allowed beside a running gateway')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit 4 if a limit cannot be met or something needs a person')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;gc' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--active-key', '--active-key', [CompletionResultType]::ParameterName, 'Never take the row with this key; may be given several times')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Never take rows whose key matches; may be given several times')
            [CompletionResult]::new('--archive-to', '--archive-to', [CompletionResultType]::ParameterName, 'Pack files into this folder (see `archive init`) and verify the copy before they are unlinked')
            [CompletionResult]::new('--max-remove', '--max-remove', [CompletionResultType]::ParameterName, 'Stop if the pass would take more than N sessions, or P% of them; 0 switches it off')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--prune-after', '--prune-after', [CompletionResultType]::ParameterName, 'Age at which rows and unowned files go; archives keep at least the time that the configuration gives them')
            [CompletionResult]::new('--max-entries', '--max-entries', [CompletionResultType]::ParameterName, 'Highest number of rows')
            [CompletionResult]::new('--max-disk', '--max-disk', [CompletionResultType]::ParameterName, 'Disk budget of the sessions folder')
            [CompletionResult]::new('--high-water', '--high-water', [CompletionResultType]::ParameterName, 'Where a pass over budget stops [default: 80 % of the budget]')
            [CompletionResult]::new('--deleted-retention', '--deleted-retention', [CompletionResultType]::ParameterName, 'Age at which `.deleted` archives are unlinked')
            [CompletionResult]::new('--reset-retention', '--reset-retention', [CompletionResultType]::ParameterName, 'Age at which `.reset` archives are unlinked')
            [CompletionResult]::new('--grace', '--grace', [CompletionResultType]::ParameterName, 'Nothing touched within this time is taken [default: 10m]')
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--gateway-state-dir', '--gateway-state-dir', [CompletionResultType]::ParameterName, 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--enforce', '--enforce', [CompletionResultType]::ParameterName, 'Do it, also if the configured mode is warn')
            [CompletionResult]::new('--fix-missing', '--fix-missing', [CompletionResultType]::ParameterName, 'Also remove rows whose transcript exists nowhere')
            [CompletionResult]::new('--fix-dm-scope', '--fix-dm-scope', [CompletionResultType]::ParameterName, 'Also retire direct-message rows of a former `session.dmScope`')
            [CompletionResult]::new('--files-only', '--files-only', [CompletionResultType]::ParameterName, 'Touch no row: only files that nothing refers to; also allowed beside a running gateway')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit 4 if a limit cannot be met or something needs a person')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;check' {
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Report only this finding; may be given several times')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Read every line of every transcript')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;fsck' {
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Report only this finding; may be given several times')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Read every line of every transcript')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;undo' {
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Put back only the session with this key or id; may be given several times')
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Put back only this file, by the name it had or has now; may be given several times')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be put back, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be put back, write nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask, also if the gateway''s own limits would take the rows again')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask, also if the gateway''s own limits would take the rows again')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;restore' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Bring it back under this key, for a key that is taken or not known any more')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Bring back what there was at this time: an ISO time, a date (its end, UTC), or how long ago, such as 3d')
            [CompletionResult]::new('--archive-to', '--archive-to', [CompletionResultType]::ParameterName, 'Also look in this archive folder (see `archive init`); may be given several times')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Show every copy that is left, with date, turns and the first line of the user; write nothing')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask, also if the gateway''s own limits would take the row again')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask, also if the gateway''s own limits would take the row again')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;rm' {
            [CompletionResult]::new('--active-key', '--active-key', [CompletionResultType]::ParameterName, 'Never take the row with this key; may be given several times')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--purge', '--purge', [CompletionResultType]::ParameterName, 'Remove for good, with everything that is kept of these sessions')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;runs' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--forget', '--forget', [CompletionResultType]::ParameterName, 'Let go of this run''s record for good: it cannot be undone any more; may be given several times')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Show at most this many, the newest')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;repair' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Do only this kind of repair (an id that check names); may be given several times')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Take rows from here alone: `snapshots`, `salvage`, `headers`, or a file that holds an index')
            [CompletionResult]::new('--adopt', '--adopt', [CompletionResultType]::ParameterName, 'Make a row for the transcript with this session id or name; may be given several times')
            [CompletionResult]::new('--strip-field', '--strip-field', [CompletionResultType]::ParameterName, 'Take this field out of every row, e.g. systemPromptReport; may be given several times')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--drop-missing', '--drop-missing', [CompletionResultType]::ParameterName, 'Also remove rows whose transcript is nowhere')
            [CompletionResult]::new('--end-runs', '--end-runs', [CompletionResultType]::ParameterName, 'Also set rows that say running, and were not touched for a day, to failed')
            [CompletionResult]::new('--modes', '--modes', [CompletionResultType]::ParameterName, 'Also take group and world rights from transcripts and index')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask, also if rows are lost or the gateway''s own limits would take rows again')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask, also if rows are lost or the gateway''s own limits would take rows again')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;sessions;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the rows of a store, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'One row or file in full: its files, what protects it, which rule takes it when')
            [CompletionResult]::new('cleanup', 'cleanup', [CompletionResultType]::ParameterValue, 'Remove what the retention rules no longer want; writes only with --enforce')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for damage in index and files; changes nothing')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Put back what a run took')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Bring one session back from wherever something of it is left')
            [CompletionResult]::new('rm', 'rm', [CompletionResultType]::ParameterValue, 'Remove chosen sessions, by key, id or pattern')
            [CompletionResult]::new('runs', 'runs', [CompletionResultType]::ParameterValue, 'List the recorded runs, or let one go')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Mend a damaged index, moved paths, locks of dead processes, leftovers')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;sessions;help;list' {
            break
        }
        'clawkeep;sessions;help;show' {
            break
        }
        'clawkeep;sessions;help;cleanup' {
            break
        }
        'clawkeep;sessions;help;check' {
            break
        }
        'clawkeep;sessions;help;undo' {
            break
        }
        'clawkeep;sessions;help;restore' {
            break
        }
        'clawkeep;sessions;help;rm' {
            break
        }
        'clawkeep;sessions;help;runs' {
            break
        }
        'clawkeep;sessions;help;repair' {
            break
        }
        'clawkeep;sessions;help;help' {
            break
        }
        'clawkeep;transcript' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'The conversation, as a person reads it')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Branches, the active leaf, compactions and labels')
            [CompletionResult]::new('context', 'context', [CompletionResultType]::ParameterValue, 'What the model sees next turn, message by message, with token estimates')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Entries, tokens, cost, tool calls and bytes, of one transcript or of many')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Look for text in messages, tool calls and results')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for damage, line by line; changes nothing')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Mend damage and keep every undamaged byte')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write the conversation as HTML, Markdown or JSON Lines')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;transcript;show' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--tail', '--tail', [CompletionResultType]::ParameterName, 'Only the last N messages')
            [CompletionResult]::new('--head', '--head', [CompletionResultType]::ParameterName, 'Only the first N messages')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Begin at this entry id, or at this time (2026-05-01, 2026-05-01T08:00:00Z, 3d)')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'End with this entry id, or at this time')
            [CompletionResult]::new('--entry', '--entry', [CompletionResultType]::ParameterName, 'One entry in full')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--all-branches', '--all-branches', [CompletionResultType]::ParameterName, 'Every entry of the file in file order, not only the active branch')
            [CompletionResult]::new('--recovered', '--recovered', [CompletionResultType]::ParameterName, 'Also whole records that stand on damaged lines, which the gateway does not see')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'The records as they stand in the file')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Tool arguments and results, thinking and system notes in full')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'No pager')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Read the transcript anew, and keep nothing for the next time')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;tree' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every entry on a line of its own, also within a branch')
            [CompletionResult]::new('--recovered', '--recovered', [CompletionResultType]::ParameterName, 'Also whole records that stand on damaged lines, which the gateway does not see')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Read the transcript anew, and keep nothing for the next time')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;context' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--window', '--window', [CompletionResultType]::ParameterName, 'Context window of the model in tokens [default: that of the session''s row]')
            [CompletionResult]::new('--reserve', '--reserve', [CompletionResultType]::ParameterName, 'Tokens kept free for the answer [default: from the configuration, else 20000]')
            [CompletionResult]::new('--keep-recent', '--keep-recent', [CompletionResultType]::ParameterName, 'Tokens of recent messages that a compaction keeps [default: from the configuration, else 20000]')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--no-cache', '--no-cache', [CompletionResultType]::ParameterName, 'Read the transcript anew, and keep nothing for the next time')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;stats' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--tz', '--tz', [CompletionResultType]::ParameterName, 'Time zone of the days, such as Europe/Berlin or UTC [default: $TZ, else that of this machine]')
            [CompletionResult]::new('--top', '--top', [CompletionResultType]::ParameterName, 'How many tools, models and large results are shown')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--no-archives', '--no-archives', [CompletionResultType]::ParameterName, 'Leave out what was reset or deleted (.reset and .deleted archives)')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;search' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--role', '--role', [CompletionResultType]::ParameterName, 'Only messages of this role; may be given several times')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'Only calls and results of this tool; may be given several times')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only entries since then: a time, a date, or how long ago, such as 3d')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after so many matches')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'The text is a regular expression')
            [CompletionResult]::new('--regex', '--regex', [CompletionResultType]::ParameterName, 'The text is a regular expression')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Upper and lower case are one')
            [CompletionResult]::new('--ignore-case', '--ignore-case', [CompletionResultType]::ParameterName, 'Upper and lower case are one')
            [CompletionResult]::new('--archives', '--archives', [CompletionResultType]::ParameterName, 'Also .reset and .deleted archives')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;check' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;repair' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--upgrade', '--upgrade', [CompletionResultType]::ParameterName, 'Also rewrite a transcript of version 1 or 2 as version 3, as the gateway does when it opens one')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;export' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to write')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'File to write; nothing said, or `-`: standard output. A file that exists is left alone')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'File to write; nothing said, or `-`: standard output. A file that exists is left alone')
            [CompletionResult]::new('--images', '--images', [CompletionResultType]::ParameterName, 'Images')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--all-branches', '--all-branches', [CompletionResultType]::ParameterName, 'Every branch, not only the active one')
            [CompletionResult]::new('--redact', '--redact', [CompletionResultType]::ParameterName, 'Leave out what looks like a key or token, and every value that the configuration marks as a secret')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;transcript;help' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'The conversation, as a person reads it')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Branches, the active leaf, compactions and labels')
            [CompletionResult]::new('context', 'context', [CompletionResultType]::ParameterValue, 'What the model sees next turn, message by message, with token estimates')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Entries, tokens, cost, tool calls and bytes, of one transcript or of many')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Look for text in messages, tool calls and results')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for damage, line by line; changes nothing')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Mend damage and keep every undamaged byte')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write the conversation as HTML, Markdown or JSON Lines')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;transcript;help;show' {
            break
        }
        'clawkeep;transcript;help;tree' {
            break
        }
        'clawkeep;transcript;help;context' {
            break
        }
        'clawkeep;transcript;help;stats' {
            break
        }
        'clawkeep;transcript;help;search' {
            break
        }
        'clawkeep;transcript;help;check' {
            break
        }
        'clawkeep;transcript;help;repair' {
            break
        }
        'clawkeep;transcript;help;export' {
            break
        }
        'clawkeep;transcript;help;help' {
            break
        }
        'clawkeep;disk' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--top', '--top', [CompletionResultType]::ParameterName, 'Also name the N largest files')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('free', 'free', [CompletionResultType]::ParameterValue, 'Make room: takes only what the rules allow, what is final already first')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;df' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--top', '--top', [CompletionResultType]::ParameterName, 'Also name the N largest files')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('free', 'free', [CompletionResultType]::ParameterValue, 'Make room: takes only what the rules allow, what is final already first')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;du' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--top', '--top', [CompletionResultType]::ParameterName, 'Also name the N largest files')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('free', 'free', [CompletionResultType]::ParameterValue, 'Make room: takes only what the rules allow, what is final already first')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;disk;free' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--need', '--need', [CompletionResultType]::ParameterName, 'Free this many bytes')
            [CompletionResult]::new('--keep-free', '--keep-free', [CompletionResultType]::ParameterName, 'Go on until this much of the volume is free [default: `keepFree` of clawkeep.json5]')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--to-budget', '--to-budget', [CompletionResultType]::ParameterName, 'Go on until the folder is at the high-water mark of its budget')
            [CompletionResult]::new('--take-archives', '--take-archives', [CompletionResultType]::ParameterName, 'Also take archives whose retention still runs, oldest first, after everything else')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would go, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would go, write nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;df;free' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--need', '--need', [CompletionResultType]::ParameterName, 'Free this many bytes')
            [CompletionResult]::new('--keep-free', '--keep-free', [CompletionResultType]::ParameterName, 'Go on until this much of the volume is free [default: `keepFree` of clawkeep.json5]')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--to-budget', '--to-budget', [CompletionResultType]::ParameterName, 'Go on until the folder is at the high-water mark of its budget')
            [CompletionResult]::new('--take-archives', '--take-archives', [CompletionResultType]::ParameterName, 'Also take archives whose retention still runs, oldest first, after everything else')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would go, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would go, write nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;du;free' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--need', '--need', [CompletionResultType]::ParameterName, 'Free this many bytes')
            [CompletionResult]::new('--keep-free', '--keep-free', [CompletionResultType]::ParameterName, 'Go on until this much of the volume is free [default: `keepFree` of clawkeep.json5]')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--to-budget', '--to-budget', [CompletionResultType]::ParameterName, 'Go on until the folder is at the high-water mark of its budget')
            [CompletionResult]::new('--take-archives', '--take-archives', [CompletionResultType]::ParameterName, 'Also take archives whose retention still runs, oldest first, after everything else')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would go, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would go, write nothing')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;disk;help' {
            [CompletionResult]::new('free', 'free', [CompletionResultType]::ParameterValue, 'Make room: takes only what the rules allow, what is final already first')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;disk;help;free' {
            break
        }
        'clawkeep;disk;help;help' {
            break
        }
        'clawkeep;df;help' {
            [CompletionResult]::new('free', 'free', [CompletionResultType]::ParameterValue, 'Make room: takes only what the rules allow, what is final already first')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;df;help;free' {
            break
        }
        'clawkeep;df;help;help' {
            break
        }
        'clawkeep;du;help' {
            [CompletionResult]::new('free', 'free', [CompletionResultType]::ParameterValue, 'Make room: takes only what the rules allow, what is final already first')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;du;help;free' {
            break
        }
        'clawkeep;du;help;help' {
            break
        }
        'clawkeep;cron' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Jobs, the sessions of their runs, and their run logs')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Apply the retention of run sessions and the bounds of run logs; writes only with --enforce')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;cron;status' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;cron;prune' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'Index of one store; `~` and `{agentId}` are understood')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Agent whose store to look at; may be given several times')
            [CompletionResult]::new('--session-retention', '--session-retention', [CompletionResultType]::ParameterName, 'Age at which sessions of cron runs go; a bare number is hours')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--all-agents', '--all-agents', [CompletionResultType]::ParameterName, 'The stores of all configured agents')
            [CompletionResult]::new('--include-unconfigured', '--include-unconfigured', [CompletionResultType]::ParameterName, 'With --all-agents, also agents that exist on disk only')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be done, write nothing')
            [CompletionResult]::new('--enforce', '--enforce', [CompletionResultType]::ParameterName, 'Do it, also if the configured mode is warn')
            [CompletionResult]::new('--files-only', '--files-only', [CompletionResultType]::ParameterName, 'Touch no row: only trim run logs that are not being written; also allowed beside a running gateway')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;cron;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Jobs, the sessions of their runs, and their run logs')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Apply the retention of run sessions and the bounds of run logs; writes only with --enforce')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;cron;help;status' {
            break
        }
        'clawkeep;cron;help;prune' {
            break
        }
        'clawkeep;cron;help;help' {
            break
        }
        'clawkeep;gateway' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Is one there, whose, which version, may it be asked to clean up, and who may write now')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;gateway;status' {
            [CompletionResult]::new('--gateway-url', '--gateway-url', [CompletionResultType]::ParameterName, 'Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it')
            [CompletionResult]::new('--gateway-token-file', '--gateway-token-file', [CompletionResultType]::ParameterName, 'Read the gateway''s token from the first line of this file; no other token is used')
            [CompletionResult]::new('--gateway-tls-fingerprint', '--gateway-tls-fingerprint', [CompletionResultType]::ParameterName, 'SHA-256 fingerprint of the certificate that a wss:// gateway must show')
            [CompletionResult]::new('--gateway-state-dir', '--gateway-state-dir', [CompletionResultType]::ParameterName, 'The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;gateway;help' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Is one there, whose, which version, may it be asked to clean up, and who may write now')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;gateway;help;status' {
            break
        }
        'clawkeep;gateway;help;help' {
            break
        }
        'clawkeep;config' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Which files are read, and why those')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Values in force, with their origin')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check the values that this program uses')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;config;path' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;config;get' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;config;validate' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;config;help' {
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Which files are read, and why those')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Values in force, with their origin')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check the values that this program uses')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;config;help;path' {
            break
        }
        'clawkeep;config;help;get' {
            break
        }
        'clawkeep;config;help;validate' {
            break
        }
        'clawkeep;config;help;help' {
            break
        }
        'clawkeep;doctor' {
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Explain one rule and end')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Ask only this rule; may be given several times')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Do not ask this rule; may be given several times')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Judge for this version of the gateway, for example 2026.9 before an update to it [default: the one that wrote the configuration last, at least 2026.5.12]')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Gravity from which findings make the exit code 4')
            [CompletionResult]::new('--override', '--override', [CompletionResultType]::ParameterName, 'Pass one refusal, named by the token it printed; may be given several times')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Do what is safe')
            [CompletionResult]::new('--repair', '--repair', [CompletionResultType]::ParameterName, 'Do what is safe')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'With --fix: show what would be done, write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'With --fix: show what would be done, write nothing')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Name every rule and end')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Show each edit of the configuration as a diff')
            [CompletionResult]::new('--config-only', '--config-only', [CompletionResultType]::ParameterName, 'Only the configuration')
            [CompletionResult]::new('--state-only', '--state-only', [CompletionResultType]::ParameterName, 'Only the state')
            [CompletionResult]::new('--drop-unknown', '--drop-unknown', [CompletionResultType]::ParameterName, 'With --fix: also remove keys that gateway 2026.5.12 does not know; not if the configuration is judged for a newer one')
            [CompletionResult]::new('--archive-orphans', '--archive-orphans', [CompletionResultType]::ParameterName, 'With --fix: also rename transcripts that no row leads to, to NAME.deleted.TIME')
            [CompletionResult]::new('--modes', '--modes', [CompletionResultType]::ParameterName, 'With --fix: also take the rights of group and others from the state folder and the configuration')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Read every line of every transcript')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask, also if a running gateway reads the new configuration at once')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask, also if a running gateway reads the new configuration at once')
            [CompletionResult]::new('--non-interactive', '--non-interactive', [CompletionResultType]::ParameterName, 'Never ask')
            [CompletionResult]::new('--deep', '--deep', [CompletionResultType]::ParameterName, 'The same as --full (the gateway''s own doctor has this flag)')
            [CompletionResult]::new('--no-workspace-suggestions', '--no-workspace-suggestions', [CompletionResultType]::ParameterName, 'No effect (the gateway''s own doctor has this flag)')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;archive' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Make a folder an archive, once')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;archive;init' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;archive;help' {
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Make a folder an archive, once')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;archive;help;init' {
            break
        }
        'clawkeep;archive;help;help' {
            break
        }
        'clawkeep;completions' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;man' {
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;demo' {
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Build the state here and leave it, to try commands on it; must be new or empty')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use the state of a named profile (~/.openclaw-NAME)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Keep asking this long for a lock that another run holds, for example 30s')
            [CompletionResult]::new('--dev', '--dev', [CompletionResultType]::ParameterName, 'Use the state of the profile `dev`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON value on stdout instead of a report')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'No report, only warnings and errors; twice: errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Every item, and what is being done')
            [CompletionResult]::new('--no-color', '--no-color', [CompletionResultType]::ParameterName, 'Never use colour')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'No progress bars')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'clawkeep;help' {
            [CompletionResult]::new('sessions', 'sessions', [CompletionResultType]::ParameterValue, 'List, explain, clean up and bring back sessions')
            [CompletionResult]::new('transcript', 'transcript', [CompletionResultType]::ParameterValue, 'Read and search transcripts: conversation, tree, context, statistics')
            [CompletionResult]::new('disk', 'disk', [CompletionResultType]::ParameterValue, 'What fills the disk, and making room')
            [CompletionResult]::new('cron', 'cron', [CompletionResultType]::ParameterValue, 'Sessions and run logs of cron jobs')
            [CompletionResult]::new('gateway', 'gateway', [CompletionResultType]::ParameterValue, 'The gateway: is one there, whose is it, and who may write now')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'What we understood of the configuration, and where each value came from')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Rules over configuration and state, and their fixes')
            [CompletionResult]::new('archive', 'archive', [CompletionResultType]::ParameterValue, 'Folders for verified compressed copies')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual, one page per command')
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Build a small realistic state and show what a cleanup of it would do')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'clawkeep;help;sessions' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List the rows of a store, newest first')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'One row or file in full: its files, what protects it, which rule takes it when')
            [CompletionResult]::new('cleanup', 'cleanup', [CompletionResultType]::ParameterValue, 'Remove what the retention rules no longer want; writes only with --enforce')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for damage in index and files; changes nothing')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Put back what a run took')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Bring one session back from wherever something of it is left')
            [CompletionResult]::new('rm', 'rm', [CompletionResultType]::ParameterValue, 'Remove chosen sessions, by key, id or pattern')
            [CompletionResult]::new('runs', 'runs', [CompletionResultType]::ParameterValue, 'List the recorded runs, or let one go')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Mend a damaged index, moved paths, locks of dead processes, leftovers')
            break
        }
        'clawkeep;help;sessions;list' {
            break
        }
        'clawkeep;help;sessions;show' {
            break
        }
        'clawkeep;help;sessions;cleanup' {
            break
        }
        'clawkeep;help;sessions;check' {
            break
        }
        'clawkeep;help;sessions;undo' {
            break
        }
        'clawkeep;help;sessions;restore' {
            break
        }
        'clawkeep;help;sessions;rm' {
            break
        }
        'clawkeep;help;sessions;runs' {
            break
        }
        'clawkeep;help;sessions;repair' {
            break
        }
        'clawkeep;help;transcript' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'The conversation, as a person reads it')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Branches, the active leaf, compactions and labels')
            [CompletionResult]::new('context', 'context', [CompletionResultType]::ParameterValue, 'What the model sees next turn, message by message, with token estimates')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Entries, tokens, cost, tool calls and bytes, of one transcript or of many')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Look for text in messages, tool calls and results')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Look for damage, line by line; changes nothing')
            [CompletionResult]::new('repair', 'repair', [CompletionResultType]::ParameterValue, 'Mend damage and keep every undamaged byte')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write the conversation as HTML, Markdown or JSON Lines')
            break
        }
        'clawkeep;help;transcript;show' {
            break
        }
        'clawkeep;help;transcript;tree' {
            break
        }
        'clawkeep;help;transcript;context' {
            break
        }
        'clawkeep;help;transcript;stats' {
            break
        }
        'clawkeep;help;transcript;search' {
            break
        }
        'clawkeep;help;transcript;check' {
            break
        }
        'clawkeep;help;transcript;repair' {
            break
        }
        'clawkeep;help;transcript;export' {
            break
        }
        'clawkeep;help;disk' {
            [CompletionResult]::new('free', 'free', [CompletionResultType]::ParameterValue, 'Make room: takes only what the rules allow, what is final already first')
            break
        }
        'clawkeep;help;disk;free' {
            break
        }
        'clawkeep;help;cron' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Jobs, the sessions of their runs, and their run logs')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Apply the retention of run sessions and the bounds of run logs; writes only with --enforce')
            break
        }
        'clawkeep;help;cron;status' {
            break
        }
        'clawkeep;help;cron;prune' {
            break
        }
        'clawkeep;help;gateway' {
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Is one there, whose, which version, may it be asked to clean up, and who may write now')
            break
        }
        'clawkeep;help;gateway;status' {
            break
        }
        'clawkeep;help;config' {
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Which files are read, and why those')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Values in force, with their origin')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check the values that this program uses')
            break
        }
        'clawkeep;help;config;path' {
            break
        }
        'clawkeep;help;config;get' {
            break
        }
        'clawkeep;help;config;validate' {
            break
        }
        'clawkeep;help;doctor' {
            break
        }
        'clawkeep;help;archive' {
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Make a folder an archive, once')
            break
        }
        'clawkeep;help;archive;init' {
            break
        }
        'clawkeep;help;completions' {
            break
        }
        'clawkeep;help;man' {
            break
        }
        'clawkeep;help;demo' {
            break
        }
        'clawkeep;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
