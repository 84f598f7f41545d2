import type { Command } from 'commander';
import { loaded } from '../src/cli/command/command.ts';
import { COMMANDS } from '../src/cli/program/command-list.ts';
import { buildProgram, typedName } from '../src/cli/program/program.ts';

// The scripts of the folder completions are made from the commands and flags. scripts/write-codes.ts writes them, and
// test/bin/completion.test.ts compares them.

const silent = { write: () => undefined, isTTY: false, columns: 100, settled: async () => undefined };
const program = buildProgram(
  { stdout: silent, version: () => '', packageFolder: '' },
  await Promise.all(COMMANDS.map(loaded)),
);
const family = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(family)];
const all = family(program);

type Rows = readonly (readonly [key: string, offered: string])[];

const rowsOf = (offered: (command: Command) => readonly string[]): Rows =>
  all.map((each) => [typedName(each), offered(each).join(' ')] as const).filter(([, words]) => words !== '');

/** Commands of a family, and choices of a first argument, by the command before them. */
const WORDS = rowsOf(({ commands, registeredArguments: [first] }) => [
  ...commands.map((each) => each.name()),
  ...(first?.argChoices ?? []),
]);
const FLAGS = rowsOf((command) => (command === program ? [] : command.options.map(({ long }) => long!)));
const EVERYWHERE = [...program.options.map(({ long }) => long!), '--help'].join(' ');
const NAMES: Rows = all.slice(1).map((command) => [typedName(command), '']);
/** Choices by the flag before them. */
const CHOICES: Rows = all.flatMap(({ options }) =>
  options.flatMap(({ long, argChoices }) => (argChoices ? [[long!, argChoices.join(' ')] as const] : [])),
);

/** A line for each row, with its key in place of `%k` and what is offered in place of `%o`. */
const table = (rows: Rows, line: string): string =>
  [...new Map(rows)].map(([key, offered]) => line.replaceAll('%k', key).replaceAll('%o', offered)).join('\n');

const BY_NAME = `case "$last" in
${table(CHOICES, "    %k) offered='%o' ;;")}
    *) if [[ $word == -* ]]; then offered='${EVERYWHERE}'; case "$name" in
${table(FLAGS, `      '%k') offered="%o $offered" ;;`)}
    esac; elif [[ " $name" == *" $last" || -z $name ]]; then case "$name" in
${table(WORDS, "      '%k') offered='%o' ;;")}
    esac; fi ;;
  esac`;
const NAME = `case "\${name:+$name }$each" in
${table(NAMES, "      '%k') name='%k' ;;")}
    esac`;

/** The script of each shell, by the ending of its file. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# Completion of dataimport for bash. In ~/.bashrc: eval "$(dataimport completion bash)"
_dataimport() {
  local last=\${COMP_WORDS[COMP_CWORD-1]} word=\${COMP_WORDS[COMP_CWORD]} name= each offered=
  # bash makes a word of its own of the = in --on-reject=skip.
  [[ $word == = ]] && word=
  [[ $last == = || \${COMP_WORDS[COMP_CWORD]} == = ]] && last=\${COMP_WORDS[COMP_CWORD-(\${#word}?2:1)]}
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    ${NAME}
  done
  ${BY_NAME}
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
}
complete -o default -F _dataimport dataimport
`,
  zsh: `#compdef dataimport
# Completion of dataimport for zsh. In ~/.zshrc, after compinit: eval "$(dataimport completion zsh)"
_dataimport() {
  local last=$words[CURRENT-1] word=$words[CURRENT] name= each offered=
  for each in "\${(@)words[2,CURRENT-1]}"; do
    ${NAME}
  done
  ${BY_NAME}
  if [[ -n $offered ]]; then compadd -- \${=offered}; else _files; fi
}
if [[ \${funcstack[1]} == _dataimport ]]; then _dataimport "$@"; else compdef _dataimport dataimport; fi
`,
  fish: `# Completion of dataimport for fish: dataimport completion fish > ~/.config/fish/completions/dataimport.fish
function __dataimport_is
    set -l name
    for each in (commandline -opc)[2..]
        contains -- (string trim "$name $each") ${NAMES.map(([name]) => `'${name}'`).join(' ')}
        and set name (string trim "$name $each")
    end
    test "$name" = "$argv"
end
${table(WORDS, "complete -c dataimport -n '__dataimport_is %k' -a '%o'")}
${all.flatMap((command) => command.options.map((option) => `complete -c dataimport ${command === program ? '' : `-n '__dataimport_is ${typedName(command)}' `}-l ${option.long!.slice(2)}${option.argChoices ? ` -xa '${option.argChoices.join(' ')}'` : option.required ? ' -r' : ''}`)).join('\n')}
`,
  powershell: `# Completion of dataimport for PowerShell. In $PROFILE: dataimport completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName dataimport -ScriptBlock {
  param($word, $line, $cursor)
  $names = ${NAMES.map(([name]) => `'${name}'`).join(', ')}
  $words = @{
${table(WORDS, "    '%k' = '%o'")}
  }
  $flags = @{
${table(FLAGS, "    '%k' = '%o'")}
  }
  $choices = @{
${table(CHOICES, "    '%k' = '%o'")}
  }
  $name = $last = ''
  $line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object {
    $last = $_.ToString()
    if ($names -contains "$name $last".Trim()) { $name = "$name $last".Trim() }
  }
  # Without a result PowerShell completes names of files by itself.
  $offered = if ($choices.ContainsKey($last)) { $choices[$last] }
    elseif ($word -like '-*') { $flags[$name] + ' ${EVERYWHERE}' }
    elseif (" $name".EndsWith(" $last")) { $words[$name] }
  -split $offered | Where-Object { $_ -and $_ -like "$word*" }
}
`,
};
