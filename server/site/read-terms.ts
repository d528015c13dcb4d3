import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import type { ReplyOf } from '#contract/route.ts'
import type { readTerms, TextBlock, TextRun } from '#contract/site.ts'
import { type Policy, policyInWords } from './describe-policy.ts'
import { Kept } from '#server/platform/http/kept.ts'
import type { Log } from '#server/platform/log.ts'
import { errorCode, StartProblem } from '#server/platform/start-problem.ts'

type Terms = ReplyOf<typeof readTerms>
type Block = z.output<typeof TextBlock>
type Run = z.output<typeof TextRun>

const OWN_TEXT = join(import.meta.dirname, 'terms.md')
const LONGEST_BYTES = 256 * 1024

/** The text as it is now. */
export type ReadTerms = () => Promise<Kept<Terms>>

/**
 * The terms of `termsFile`, or the game's own where that is ''. The file is read again when it changed; while it cannot
 * be read the last text stays. Either may name rules in braces, which are filled in as they are in force. A
 * `StartProblem` says why it cannot be used at all.
 */
export async function openTerms({ termsFile, log, policy }: Opening): Promise<ReadTerms> {
  const rules = policyInWords(policy)
  const read = async (path: string): Promise<Block[]> =>
    blocksOf(withRules(await readFile(path, 'utf8'), rules))
  const own = new Kept<Terms>({ blocks: await read(OWN_TEXT), changedAt: null })
  if (!termsFile) return async () => own
  let known = { version: '', terms: own }

  const look = async (): Promise<void> => {
    const { mtime, size } = await stat(termsFile)
    const version = `${mtime.getTime()} ${size}`
    if (version === known.version) return
    if (size > LONGEST_BYTES) throw new Error(`it is longer than ${LONGEST_BYTES} bytes`)
    const blocks = await read(termsFile)
    if (blocks.length === 0) throw new Error('it is empty')
    known = { version, terms: new Kept<Terms>({ blocks, changedAt: mtime.toISOString() }) }
  }
  await look().catch((error: unknown) => {
    const why = errorCode(error) || (error as Error).message
    throw new StartProblem(`TERMS_FILE is "${termsFile}", which cannot be used: ${why}.`)
  })
  return async () => {
    await look().catch((error: unknown) => log.warn({ err: error }, 'the terms could not be read again'))
    return known.terms
  }
}

type Opening = { termsFile: string; log: Log; policy: Policy }

/** The text with its rules, each in place of the list item that names it; what names no rule stays as it was written. */
const withRules = (text: string, rules: Readonly<Record<string, string>>): string =>
  text.replaceAll(/^[-*] \{([a-z ]+)\}\r?$/gm, (whole, name: string) => rules[name] ?? whole)

/** Headings (`#`), lists (`- `) and paragraphs, parted by empty lines; in a line `**strong**` and `[links](…)`. */
export function blocksOf(text: string): Block[] {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^\uFEFF/, '')
    .replaceAll(/^(#{1,6} .*)$/gm, '\n$1\n')
    .replaceAll(/^(?![-*] |\s)(.+)\n(?=[-*] )/gm, '$1\n\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(blockOf)
}

function blockOf(part: string): Block {
  const heading = /^#{1,6} +(.*)$/.exec(part)
  if (heading) return { kind: 'heading', lines: [runsOf(heading[1]!.replace(/ +#+$/, ''))] }
  if (/^[-*] /.test(part)) {
    const items = part.split(/\n(?=[-*] )/)
    return { kind: 'list', lines: items.map((item) => runsOf(joined(item.slice(2)))) }
  }
  return { kind: 'paragraph', lines: [runsOf(joined(part))] }
}

const joined = (lines: string): string => lines.replaceAll(/\s*\n\s*/g, ' ').trim()

// A link's own text may hold no bracket and its address no blank, so every part is matched in one pass.
const MARKS = /\*\*([^*]+)\*\*|\[([^\][]+)\]\(([^\s()]+)\)/g

function runsOf(line: string): Run[] {
  const runs: Run[] = []
  let from = 0
  for (const match of line.matchAll(MARKS)) {
    const [whole, strong, text, address] = match
    const href = address === undefined ? null : safeAddress(address)
    // What would not be safe to follow stays as it was written.
    if (address !== undefined && href === null) continue
    if (match.index > from) runs.push(plain(line.slice(from, match.index)))
    runs.push({ text: strong ?? text!, strong: strong !== undefined, href })
    from = match.index + whole.length
  }
  if (from < line.length) runs.push(plain(line.slice(from)))
  return runs
}

const plain = (text: string): Run => ({ text, strong: false, href: null })

function safeAddress(address: string): string | null {
  if (/^\/(?![/\\])[\w\-./?=&#%]*$/.test(address)) return address
  const url = URL.parse(address)
  return url && ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url.href : null
}
