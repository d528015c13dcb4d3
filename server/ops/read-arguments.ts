import { StartProblem } from '#server/platform/start-problem.ts'
import type { Command } from './desk.ts'

/** What a command was given: words in their order, and options by name. */
export type Arguments = {
  words: readonly string[]
  options: Readonly<Record<string, string | undefined>>
  /** Options without a value that were given. */
  flags: ReadonlySet<string>
}

/**
 * Reads `word --name value --name=value`. A minus before a digit is an amount, not an option. Refuses what the command
 * does not know, so that a slip of the keyboard never does something else.
 */
export function readArguments(
  args: readonly string[],
  {
    words: expected,
    options: known,
    flags: switches = [],
    usage,
  }: Pick<Command, 'words' | 'options' | 'flags' | 'usage'>,
): Arguments {
  const wrong = (what: string) => new StartProblem(`${what} It is used so: ${usage || 'alone'}`)
  const words: string[] = []
  const options: Record<string, string> = {}
  const flags = new Set<string>()
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (!arg.startsWith('-') || /^-\d/.test(arg)) {
      words.push(arg)
      continue
    }
    if (switches.includes(arg.slice(2)) && arg.startsWith('--')) {
      flags.add(arg.slice(2))
      continue
    }
    const [, name, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (name === undefined || !known.includes(name)) throw wrong(`There is no option ${arg}.`)
    if (name in options) throw wrong(`--${name} is given twice.`)
    const value = (inline ?? args[++at] ?? '').trim()
    if (value === '') throw wrong(`--${name} needs a value.`)
    options[name] = value
  }
  const { least, most } = typeof expected === 'number' ? { least: expected, most: expected } : expected
  if (words.length < least || words.length > most) {
    const needed = least === most ? `${least} are needed` : `${least} to ${most} are possible`
    throw wrong(`${words.length} words were given, and ${needed}.`)
  }
  return { words, options, flags }
}

/** An option that the command cannot do without. */
export function required({ options }: Arguments, name: string): string {
  const value = options[name]
  if (value === undefined) throw new StartProblem(`--${name} is missing.`)
  return value
}
