# Completion of dataimport for fish: dataimport completion fish > ~/.config/fish/completions/dataimport.fish
function __dataimport_is
    set -l name
    for each in (commandline -opc)[2..]
        contains -- (string trim "$name $each") 'init' 'check' 'push' 'migrate' 'resume' 'verify' 'contract' 'contract import' 'contract show' 'contract diff' 'runs' 'runs show' 'runs confirm' 'runs forget' 'status' 'accounts' 'auth' 'inspect' 'demo' 'parity' 'serve' 'replay' 'try' 'admin' 'admin supplier' 'admin accounts' 'admin account' 'admin reset' 'admin faults' 'admin clock' 'admin snapshot' 'admin ledger' 'admin requests' 'config' 'schema' 'completion' 'explain'
        and set name (string trim "$name $each")
    end
    test "$name" = "$argv"
end
complete -c dataimport -n '__dataimport_is ' -a 'init check push migrate resume verify contract runs status accounts auth inspect demo parity serve replay try admin config schema completion explain'
complete -c dataimport -n '__dataimport_is check' -a 'notes transactions statements payment-instructions'
complete -c dataimport -n '__dataimport_is push' -a 'notes transactions statements payment-instructions'
complete -c dataimport -n '__dataimport_is contract' -a 'import show diff'
complete -c dataimport -n '__dataimport_is runs' -a 'show confirm forget'
complete -c dataimport -n '__dataimport_is admin' -a 'supplier accounts account reset faults clock snapshot ledger requests'
complete -c dataimport -n '__dataimport_is admin account' -a 'show stage start import fail'
complete -c dataimport -n '__dataimport_is admin faults' -a 'show add clear'
complete -c dataimport -n '__dataimport_is admin clock' -a 'show freeze set advance resume'
complete -c dataimport -n '__dataimport_is admin snapshot' -a 'list save restore delete'
complete -c dataimport -n '__dataimport_is schema' -a 'mapping cohort seed contract verify'
complete -c dataimport -n '__dataimport_is completion' -a 'bash zsh fish powershell'
complete -c dataimport -l version
complete -c dataimport -l config -r
complete -c dataimport -l json
complete -c dataimport -l quiet
complete -c dataimport -l verbose
complete -c dataimport -l no-progress
complete -c dataimport -l log-file -r
complete -c dataimport -n '__dataimport_is init' -l resource -xa 'notes transactions statements payment-instructions'
complete -c dataimport -n '__dataimport_is init' -l show-values
complete -c dataimport -n '__dataimport_is init' -l encoding -xa 'utf-8 utf-16le utf-16be windows-1252 windows-1250 iso-8859-1 iso-8859-15 iso-8859-2 windows-1254 windows-1257 macintosh windows-1251 windows-1255 koi8-r windows-1253 windows-1256 windows-874 windows-1258 ibm866 koi8-u iso-8859-5 iso-8859-7 shift_jis euc-jp euc-kr gbk big5'
complete -c dataimport -n '__dataimport_is init' -l delimiter -r
complete -c dataimport -n '__dataimport_is init' -l supplier -r
complete -c dataimport -n '__dataimport_is init' -l base-url -r
complete -c dataimport -n '__dataimport_is init' -l contract -r
complete -c dataimport -n '__dataimport_is check' -l map -r
complete -c dataimport -n '__dataimport_is check' -l max-records -r
complete -c dataimport -n '__dataimport_is check' -l shard -r
complete -c dataimport -n '__dataimport_is check' -l documents -r
complete -c dataimport -n '__dataimport_is check' -l rejects -r
complete -c dataimport -n '__dataimport_is check' -l show-values
complete -c dataimport -n '__dataimport_is check' -l line -r
complete -c dataimport -n '__dataimport_is check' -l junit -r
complete -c dataimport -n '__dataimport_is check' -l supplier -r
complete -c dataimport -n '__dataimport_is check' -l contract -r
complete -c dataimport -n '__dataimport_is push' -l map -r
complete -c dataimport -n '__dataimport_is push' -l max-records -r
complete -c dataimport -n '__dataimport_is push' -l shard -r
complete -c dataimport -n '__dataimport_is push' -l documents -r
complete -c dataimport -n '__dataimport_is push' -l rejects -r
complete -c dataimport -n '__dataimport_is push' -l show-values
complete -c dataimport -n '__dataimport_is push' -l dry-run
complete -c dataimport -n '__dataimport_is push' -l skip-invalid
complete -c dataimport -n '__dataimport_is push' -l check-previously-added
complete -c dataimport -n '__dataimport_is push' -l no-check-previously-added
complete -c dataimport -n '__dataimport_is push' -l force-add-to-current-statement
complete -c dataimport -n '__dataimport_is push' -l no-force-add-to-current-statement
complete -c dataimport -n '__dataimport_is push' -l on-reject -xa 'stop skip'
complete -c dataimport -n '__dataimport_is push' -l on-existing -xa 'reject accept'
complete -c dataimport -n '__dataimport_is push' -l again
complete -c dataimport -n '__dataimport_is push' -l max-errors -r
complete -c dataimport -n '__dataimport_is push' -l max-duration -r
complete -c dataimport -n '__dataimport_is push' -l record -r
complete -c dataimport -n '__dataimport_is push' -l base-url -r
complete -c dataimport -n '__dataimport_is push' -l supplier -r
complete -c dataimport -n '__dataimport_is push' -l contract -r
complete -c dataimport -n '__dataimport_is push' -l ca-file -r
complete -c dataimport -n '__dataimport_is push' -l batch-size -r
complete -c dataimport -n '__dataimport_is push' -l concurrency -r
complete -c dataimport -n '__dataimport_is push' -l rate-limit -r
complete -c dataimport -n '__dataimport_is push' -l retry-for -r
complete -c dataimport -n '__dataimport_is push' -l timeout -r
complete -c dataimport -n '__dataimport_is push' -l run-dir -r
complete -c dataimport -n '__dataimport_is migrate' -l dry-run
complete -c dataimport -n '__dataimport_is migrate' -l skip-invalid
complete -c dataimport -n '__dataimport_is migrate' -l wait-for-accounts -r
complete -c dataimport -n '__dataimport_is migrate' -l shard -r
complete -c dataimport -n '__dataimport_is migrate' -l on-reject -xa 'stop skip'
complete -c dataimport -n '__dataimport_is migrate' -l on-existing -xa 'reject accept'
complete -c dataimport -n '__dataimport_is migrate' -l again
complete -c dataimport -n '__dataimport_is migrate' -l max-errors -r
complete -c dataimport -n '__dataimport_is migrate' -l max-duration -r
complete -c dataimport -n '__dataimport_is migrate' -l record -r
complete -c dataimport -n '__dataimport_is migrate' -l show-values
complete -c dataimport -n '__dataimport_is migrate' -l base-url -r
complete -c dataimport -n '__dataimport_is migrate' -l supplier -r
complete -c dataimport -n '__dataimport_is migrate' -l contract -r
complete -c dataimport -n '__dataimport_is migrate' -l ca-file -r
complete -c dataimport -n '__dataimport_is migrate' -l batch-size -r
complete -c dataimport -n '__dataimport_is migrate' -l concurrency -r
complete -c dataimport -n '__dataimport_is migrate' -l rate-limit -r
complete -c dataimport -n '__dataimport_is migrate' -l retry-for -r
complete -c dataimport -n '__dataimport_is migrate' -l timeout -r
complete -c dataimport -n '__dataimport_is migrate' -l run-dir -r
complete -c dataimport -n '__dataimport_is resume' -l base-url -r
complete -c dataimport -n '__dataimport_is resume' -l run-dir -r
complete -c dataimport -n '__dataimport_is verify' -l map -r
complete -c dataimport -n '__dataimport_is verify' -l max-records -r
complete -c dataimport -n '__dataimport_is verify' -l shard -r
complete -c dataimport -n '__dataimport_is verify' -l ledger -r
complete -c dataimport -n '__dataimport_is verify' -l html -r
complete -c dataimport -n '__dataimport_is verify' -l junit -r
complete -c dataimport -n '__dataimport_is verify' -l show-values
complete -c dataimport -n '__dataimport_is verify' -l base-url -r
complete -c dataimport -n '__dataimport_is verify' -l supplier -r
complete -c dataimport -n '__dataimport_is verify' -l contract -r
complete -c dataimport -n '__dataimport_is verify' -l run-dir -r
complete -c dataimport -n '__dataimport_is contract import' -l out -r
complete -c dataimport -n '__dataimport_is contract import' -l force
complete -c dataimport -n '__dataimport_is contract show' -l contract -r
complete -c dataimport -n '__dataimport_is runs' -l run-dir -r
complete -c dataimport -n '__dataimport_is runs show' -l show-values
complete -c dataimport -n '__dataimport_is runs show' -l unresolved
complete -c dataimport -n '__dataimport_is runs show' -l csv -r
complete -c dataimport -n '__dataimport_is runs show' -l line -r
complete -c dataimport -n '__dataimport_is runs show' -l account -r
complete -c dataimport -n '__dataimport_is runs show' -l run-dir -r
complete -c dataimport -n '__dataimport_is runs confirm' -l rows -r
complete -c dataimport -n '__dataimport_is runs confirm' -l arrived
complete -c dataimport -n '__dataimport_is runs confirm' -l missing
complete -c dataimport -n '__dataimport_is runs confirm' -l by -r
complete -c dataimport -n '__dataimport_is runs confirm' -l run-dir -r
complete -c dataimport -n '__dataimport_is runs forget' -l force
complete -c dataimport -n '__dataimport_is runs forget' -l run-dir -r
complete -c dataimport -n '__dataimport_is status' -l record -r
complete -c dataimport -n '__dataimport_is status' -l base-url -r
complete -c dataimport -n '__dataimport_is status' -l supplier -r
complete -c dataimport -n '__dataimport_is status' -l contract -r
complete -c dataimport -n '__dataimport_is status' -l ca-file -r
complete -c dataimport -n '__dataimport_is accounts' -l state -xa 'pending imported'
complete -c dataimport -n '__dataimport_is accounts' -l record -r
complete -c dataimport -n '__dataimport_is accounts' -l base-url -r
complete -c dataimport -n '__dataimport_is accounts' -l supplier -r
complete -c dataimport -n '__dataimport_is accounts' -l contract -r
complete -c dataimport -n '__dataimport_is accounts' -l ca-file -r
complete -c dataimport -n '__dataimport_is auth' -l record -r
complete -c dataimport -n '__dataimport_is auth' -l base-url -r
complete -c dataimport -n '__dataimport_is auth' -l supplier -r
complete -c dataimport -n '__dataimport_is auth' -l contract -r
complete -c dataimport -n '__dataimport_is auth' -l ca-file -r
complete -c dataimport -n '__dataimport_is inspect' -l show-values
complete -c dataimport -n '__dataimport_is inspect' -l encoding -xa 'utf-8 utf-16le utf-16be windows-1252 windows-1250 iso-8859-1 iso-8859-15 iso-8859-2 windows-1254 windows-1257 macintosh windows-1251 windows-1255 koi8-r windows-1253 windows-1256 windows-874 windows-1258 ibm866 koi8-u iso-8859-5 iso-8859-7 shift_jis euc-jp euc-kr gbk big5'
complete -c dataimport -n '__dataimport_is inspect' -l delimiter -r
complete -c dataimport -n '__dataimport_is parity' -l seed -r
complete -c dataimport -n '__dataimport_is parity' -l behaviour -r
complete -c dataimport -n '__dataimport_is parity' -l contract -r
complete -c dataimport -n '__dataimport_is serve' -l port -r
complete -c dataimport -n '__dataimport_is serve' -l host -r
complete -c dataimport -n '__dataimport_is serve' -l allow-network
complete -c dataimport -n '__dataimport_is serve' -l db -r
complete -c dataimport -n '__dataimport_is serve' -l seed -r
complete -c dataimport -n '__dataimport_is serve' -l api-key -r
complete -c dataimport -n '__dataimport_is serve' -l exit-with-parent
complete -c dataimport -n '__dataimport_is serve' -l behaviour -r
complete -c dataimport -n '__dataimport_is serve' -l fault -r
complete -c dataimport -n '__dataimport_is serve' -l contract -r
complete -c dataimport -n '__dataimport_is replay' -l update
complete -c dataimport -n '__dataimport_is replay' -l junit -r
complete -c dataimport -n '__dataimport_is try' -l seed -r
complete -c dataimport -n '__dataimport_is try' -l budget -r
complete -c dataimport -n '__dataimport_is try' -l runs -r
complete -c dataimport -n '__dataimport_is try' -l jobs -r
complete -c dataimport -n '__dataimport_is try' -l restart
complete -c dataimport -n '__dataimport_is try' -l contract -r
complete -c dataimport -n '__dataimport_is admin supplier' -l status -r
complete -c dataimport -n '__dataimport_is admin supplier' -l base-url -r
complete -c dataimport -n '__dataimport_is admin accounts' -l state -r
complete -c dataimport -n '__dataimport_is admin accounts' -l after -r
complete -c dataimport -n '__dataimport_is admin accounts' -l base-url -r
complete -c dataimport -n '__dataimport_is admin account' -l base-url -r
complete -c dataimport -n '__dataimport_is admin account' -l supplier -r
complete -c dataimport -n '__dataimport_is admin reset' -l base-url -r
complete -c dataimport -n '__dataimport_is admin faults' -l base-url -r
complete -c dataimport -n '__dataimport_is admin clock' -l base-url -r
complete -c dataimport -n '__dataimport_is admin snapshot' -l base-url -r
complete -c dataimport -n '__dataimport_is admin ledger' -l totals
complete -c dataimport -n '__dataimport_is admin ledger' -l kind -r
complete -c dataimport -n '__dataimport_is admin ledger' -l account -r
complete -c dataimport -n '__dataimport_is admin ledger' -l base-url -r
complete -c dataimport -n '__dataimport_is admin requests' -l status -r
complete -c dataimport -n '__dataimport_is admin requests' -l path -r
complete -c dataimport -n '__dataimport_is admin requests' -l since -r
complete -c dataimport -n '__dataimport_is admin requests' -l base-url -r
complete -c dataimport -n '__dataimport_is config' -l base-url -r
complete -c dataimport -n '__dataimport_is config' -l supplier -r
complete -c dataimport -n '__dataimport_is config' -l contract -r
complete -c dataimport -n '__dataimport_is config' -l ca-file -r
complete -c dataimport -n '__dataimport_is config' -l batch-size -r
complete -c dataimport -n '__dataimport_is config' -l concurrency -r
complete -c dataimport -n '__dataimport_is config' -l rate-limit -r
complete -c dataimport -n '__dataimport_is config' -l retry-for -r
complete -c dataimport -n '__dataimport_is config' -l timeout -r
complete -c dataimport -n '__dataimport_is config' -l run-dir -r
complete -c dataimport -n '__dataimport_is schema' -l contract -r
