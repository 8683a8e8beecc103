// What does a shell run to complete our command lines?

/** The shells that there is a script for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type ShellName = (typeof SHELLS)[number];

/** The hidden command that the scripts call; it answers in cobra's form, which kubectl's own completion understands too. */
export const COMPLETE = "__complete";

/** Directives behind the last colon of an answer: cobra's. */
export const DIRECTIVE = { files: 0, noFiles: 4 } as const;

// The line is split at blanks only: bash would also split it at = and :, and those before the cursor's word are put back.
const BASH = `# bash completion for holdfast: source it, or put it into bash_completion.d
_holdfast() {
  local line="\${COMP_LINE:0:COMP_POINT}" words cur out directive value rest prefix
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  cur="\${words[\${#words[@]} - 1]}"
  out="$("\${COMP_WORDS[0]/#\\~/$HOME}" ${COMPLETE} "\${words[@]:1}" 2>/dev/null)" || return
  directive="\${out##*:}"
  out="\${out%:*}"
  prefix="\${cur%"\${cur##*[=:]}"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    [[ -n "$value" && "$value" == "$cur"* ]] && COMPREPLY+=("\${value#"$prefix"}")
  done <<< "$out"
  if (( (directive & ${DIRECTIVE.noFiles}) == 0 )); then compopt -o default; fi
}
complete -F _holdfast holdfast kubectl-holdfast
`;

const ZSH = `#compdef holdfast kubectl-holdfast
# zsh completion for holdfast: source it after compinit, or put it into a directory of fpath as _holdfast
_holdfast() {
  local out line value directive
  local -a lines candidates
  out="$(\${~words[1]} ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)" || return 1
  lines=("\${(@f)out}")
  directive="\${lines[-1]#:}"
  lines[-1]=()
  for line in "\${(@)lines}"; do
    value="\${line%%$'\\t'*}"
    [[ -z "$value" ]] && continue
    if [[ "$line" == *$'\\t'* ]]; then candidates+=("\${value//:/\\\\:}:\${line#*$'\\t'}"); else candidates+=("\${value//:/\\\\:}"); fi
  done
  (( \${#candidates} )) && _describe -V holdfast candidates
  (( (directive & ${DIRECTIVE.noFiles}) == 0 )) && _files
  return 0
}
if [[ "\${funcstack[1]}" == "_holdfast" ]]; then _holdfast "$@"; else compdef _holdfast holdfast kubectl-holdfast; fi
`;

const FISH = `# fish completion for holdfast: source it, or put it into ~/.config/fish/completions/holdfast.fish
function __holdfast_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l program $words[1]
  set -e words[1]
  set -l out ($program ${COMPLETE} $words "$current" 2>/dev/null)
  test (count $out) -gt 0; or return
  set -l directive (string sub -s 2 -- $out[-1])
  set -e out[-1]
  for line in $out
    echo $line
  end
  if test (math "bitand($directive, ${DIRECTIVE.noFiles})") -eq 0
    __fish_complete_path "$current"
  end
end
for name in holdfast kubectl-holdfast
  complete -c $name -f -a '(__holdfast_complete)'
end
`;

const SCRIPTS: Readonly<Record<ShellName, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** The script for a shell. */
export function scriptFor(shell: ShellName): string {
  return SCRIPTS[shell];
}
