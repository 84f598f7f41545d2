#compdef dataimport
# Completion of dataimport for zsh. In ~/.zshrc, after compinit: eval "$(dataimport completion zsh)"
_dataimport() {
  local last=$words[CURRENT-1] word=$words[CURRENT] name= each offered=
  for each in "${(@)words[2,CURRENT-1]}"; do
    case "${name:+$name }$each" in
      'init') name='init' ;;
      'check') name='check' ;;
      'push') name='push' ;;
      'migrate') name='migrate' ;;
      'resume') name='resume' ;;
      'verify') name='verify' ;;
      'contract') name='contract' ;;
      'contract import') name='contract import' ;;
      'contract show') name='contract show' ;;
      'contract diff') name='contract diff' ;;
      'runs') name='runs' ;;
      'runs show') name='runs show' ;;
      'runs confirm') name='runs confirm' ;;
      'runs forget') name='runs forget' ;;
      'status') name='status' ;;
      'accounts') name='accounts' ;;
      'auth') name='auth' ;;
      'inspect') name='inspect' ;;
      'demo') name='demo' ;;
      'parity') name='parity' ;;
      'serve') name='serve' ;;
      'replay') name='replay' ;;
      'try') name='try' ;;
      'admin') name='admin' ;;
      'admin supplier') name='admin supplier' ;;
      'admin accounts') name='admin accounts' ;;
      'admin account') name='admin account' ;;
      'admin reset') name='admin reset' ;;
      'admin faults') name='admin faults' ;;
      'admin clock') name='admin clock' ;;
      'admin snapshot') name='admin snapshot' ;;
      'admin ledger') name='admin ledger' ;;
      'admin requests') name='admin requests' ;;
      'config') name='config' ;;
      'schema') name='schema' ;;
      'completion') name='completion' ;;
      'explain') name='explain' ;;
    esac
  done
  case "$last" in
    --resource) offered='notes transactions statements payment-instructions' ;;
    --encoding) offered='utf-8 utf-16le utf-16be windows-1252 windows-1250 iso-8859-1 iso-8859-15 iso-8859-2 windows-1254 windows-1257 macintosh windows-1251 windows-1255 koi8-r windows-1253 windows-1256 windows-874 windows-1258 ibm866 koi8-u iso-8859-5 iso-8859-7 shift_jis euc-jp euc-kr gbk big5' ;;
    --on-reject) offered='stop skip' ;;
    --on-existing) offered='reject accept' ;;
    --state) offered='pending imported' ;;
    *) if [[ $word == -* ]]; then offered='--version --config --json --quiet --verbose --no-progress --log-file --help'; case "$name" in
      'init') offered="--resource --show-values --encoding --delimiter --supplier --base-url --contract $offered" ;;
      'check') offered="--map --max-records --shard --documents --rejects --show-values --line --junit --supplier --contract $offered" ;;
      'push') offered="--map --max-records --shard --documents --rejects --show-values --dry-run --skip-invalid --check-previously-added --no-check-previously-added --force-add-to-current-statement --no-force-add-to-current-statement --on-reject --on-existing --again --max-errors --max-duration --record --base-url --supplier --contract --ca-file --batch-size --concurrency --rate-limit --retry-for --timeout --run-dir $offered" ;;
      'migrate') offered="--dry-run --skip-invalid --wait-for-accounts --shard --on-reject --on-existing --again --max-errors --max-duration --record --show-values --base-url --supplier --contract --ca-file --batch-size --concurrency --rate-limit --retry-for --timeout --run-dir $offered" ;;
      'resume') offered="--base-url --run-dir $offered" ;;
      'verify') offered="--map --max-records --shard --ledger --html --junit --show-values --base-url --supplier --contract --run-dir $offered" ;;
      'contract import') offered="--out --force $offered" ;;
      'contract show') offered="--contract $offered" ;;
      'runs') offered="--run-dir $offered" ;;
      'runs show') offered="--show-values --unresolved --csv --line --account --run-dir $offered" ;;
      'runs confirm') offered="--rows --arrived --missing --by --run-dir $offered" ;;
      'runs forget') offered="--force --run-dir $offered" ;;
      'status') offered="--record --base-url --supplier --contract --ca-file $offered" ;;
      'accounts') offered="--state --record --base-url --supplier --contract --ca-file $offered" ;;
      'auth') offered="--record --base-url --supplier --contract --ca-file $offered" ;;
      'inspect') offered="--show-values --encoding --delimiter $offered" ;;
      'parity') offered="--seed --behaviour --contract $offered" ;;
      'serve') offered="--port --host --allow-network --db --seed --api-key --exit-with-parent --behaviour --fault --contract $offered" ;;
      'replay') offered="--update --junit $offered" ;;
      'try') offered="--seed --budget --runs --jobs --restart --contract $offered" ;;
      'admin supplier') offered="--status --base-url $offered" ;;
      'admin accounts') offered="--state --after --base-url $offered" ;;
      'admin account') offered="--base-url --supplier $offered" ;;
      'admin reset') offered="--base-url $offered" ;;
      'admin faults') offered="--base-url $offered" ;;
      'admin clock') offered="--base-url $offered" ;;
      'admin snapshot') offered="--base-url $offered" ;;
      'admin ledger') offered="--totals --kind --account --base-url $offered" ;;
      'admin requests') offered="--status --path --since --base-url $offered" ;;
      'config') offered="--base-url --supplier --contract --ca-file --batch-size --concurrency --rate-limit --retry-for --timeout --run-dir $offered" ;;
      'schema') offered="--contract $offered" ;;
    esac; elif [[ " $name" == *" $last" || -z $name ]]; then case "$name" in
      '') offered='init check push migrate resume verify contract runs status accounts auth inspect demo parity serve replay try admin config schema completion explain' ;;
      'check') offered='notes transactions statements payment-instructions' ;;
      'push') offered='notes transactions statements payment-instructions' ;;
      'contract') offered='import show diff' ;;
      'runs') offered='show confirm forget' ;;
      'admin') offered='supplier accounts account reset faults clock snapshot ledger requests' ;;
      'admin account') offered='show stage start import fail' ;;
      'admin faults') offered='show add clear' ;;
      'admin clock') offered='show freeze set advance resume' ;;
      'admin snapshot') offered='list save restore delete' ;;
      'schema') offered='mapping cohort seed contract verify' ;;
      'completion') offered='bash zsh fish powershell' ;;
    esac; fi ;;
  esac
  if [[ -n $offered ]]; then compadd -- ${=offered}; else _files; fi
}
if [[ ${funcstack[1]} == _dataimport ]]; then _dataimport "$@"; else compdef _dataimport dataimport; fi
