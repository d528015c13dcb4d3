import { StartupError } from '#server/platform/startup-error.ts'
import type { Arguments, Command } from './command.ts'

/**
 * Parses `word --name value --name=value`. A minus before a digit starts an amount, not an option. Throws a `StartupError`
 * for unknown options and for a wrong number of words, so that a typing error has no effect.
 */
export function readArguments(
  args: readonly string[],
  {
    positionals: expected,
    options: known,
    flags: switches = [],
    usage,
  }: Pick<Command, 'positionals' | 'options' | 'flags' | 'usage'>,
): Arguments {
  const wrong = (what: string) => new StartupError(`${what} Usage: ${usage || 'no arguments'}`)
  const positionals: string[] = []
  const options: Record<string, string> = {}
  const flags = new Set<string>()
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (!arg.startsWith('-') || /^-\d/.test(arg)) {
      positionals.push(arg)
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
  const { min, max } = typeof expected === 'number' ? { min: expected, max: expected } : expected
  if (positionals.length < min || positionals.length > max) {
    const expectedCount = min === max ? String(min) : `${min} to ${max}`
    throw wrong(`Expected ${expectedCount} words, got ${positionals.length}.`)
  }
  return { positionals, options, flags }
}

/** The value of a required option. Throws a `StartupError` if it is missing. */
export function required({ options }: Arguments, name: string): string {
  const value = options[name]
  if (value === undefined) throw new StartupError(`--${name} is missing.`)
  return value
}
