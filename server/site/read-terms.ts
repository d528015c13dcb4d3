import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import type { ReplyOf } from '#contract/route.ts'
import type { readTerms, TextBlock, TextRun } from '#contract/site.ts'
import { describePolicy, type Policy, TERM_NUMBERS } from './describe-policy.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import type { Log } from '#server/platform/log.ts'
import { createOutageLog } from '#server/platform/outage-log.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

type Terms = ReplyOf<typeof readTerms>
type Block = z.output<typeof TextBlock>
type Run = z.output<typeof TextRun>

const DEFAULT_TERMS_FILE = join(import.meta.dirname, 'terms.md')
const MAX_BYTES = 256 * 1024

/** Reads the current terms. */
export type ReadTerms = () => Promise<CachedResponse<Terms>>

/**
 * Reads the terms from `termsFile`, or the built-in text if that is ''. The file is read again when it has changed; while
 * it cannot be read, the last text is served. Both texts may contain placeholders in braces, which are replaced by the
 * rules in force. A `StartupError` if the file cannot be used at the start.
 */
export async function openTerms({ termsFile, log, policy }: TermsOptions): Promise<ReadTerms> {
  const rules = describePolicy(policy)
  const read = async (path: string): Promise<Block[]> =>
    parseBlocks(fillInRules(await readFile(path, 'utf8'), rules))
  const defaultTerms = new CachedResponse<Terms>({ blocks: await read(DEFAULT_TERMS_FILE), changedAt: null })
  if (!termsFile) return async () => defaultTerms
  let current = { version: '', terms: defaultTerms }

  const refresh = async (): Promise<void> => {
    const { mtime, size } = await stat(termsFile)
    const version = `${mtime.getTime()} ${size}`
    if (version === current.version) return
    if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`)
    const blocks = await read(termsFile)
    if (blocks.length === 0) throw new Error('it is empty')
    current = { version, terms: new CachedResponse<Terms>({ blocks, changedAt: mtime.toISOString() }) }
  }
  await refresh().catch((error: unknown) => {
    const reason = errorCode(error) || (error as Error).message
    throw new StartupError(`TERMS_FILE is "${termsFile}", which cannot be used: ${reason}.`)
  })
  const reading = createOutageLog(log, { reading: termsFile })
  return async () => {
    await refresh().then(reading.recordSuccess, reading.recordFailure)
    return current.terms
  }
}

type TermsOptions = { termsFile: string; log: Log; policy: Policy }

/** Replaces list items that are placeholders by their rules, and other placeholders by numbers. Unknown ones stay. */
const fillInRules = (text: string, rules: Readonly<Record<string, string>>): string =>
  text
    .replaceAll(/^[-*] \{([a-z ]+)\}\r?$/gm, (whole, name: string) => rules[name] ?? whole)
    .replaceAll(/\{([a-z ]+)\}/g, (whole, name: string) => TERM_NUMBERS[name] ?? whole)

/** Headings (`#`), lists (`- `) and paragraphs, separated by empty lines. A line may have `**strong**` and `[links](…)`. */
export function parseBlocks(text: string): Block[] {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/^\uFEFF/, '')
    .replaceAll(/^(#{1,6} .*)$/gm, '\n$1\n')
    .replaceAll(/^(?![-*] |\s)(.+)\n(?=[-*] )/gm, '$1\n\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(parseBlock)
}

function parseBlock(part: string): Block {
  const heading = /^#{1,6} +(.*)$/.exec(part)
  if (heading) return { kind: 'heading', lines: [parseRuns(heading[1]!.replace(/(?<! ) +#+$/, ''))] }
  if (/^[-*] /.test(part)) {
    const items = part.split(/\n(?=[-*] )/)
    return { kind: 'list', lines: items.map((item) => parseRuns(joinLines(item.slice(2)))) }
  }
  return { kind: 'paragraph', lines: [parseRuns(joinLines(part))] }
}

const joinLines = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')

// The text of a link has no bracket and its URL has no blank, so one pass matches every part.
const INLINE_MARKUP = /\*\*([^*]+)\*\*|\[([^\][]+)\]\(([^\s()]+)\)/g

function parseRuns(line: string): Run[] {
  const runs: Run[] = []
  let from = 0
  for (const match of line.matchAll(INLINE_MARKUP)) {
    const [whole, strong, text, address] = match
    const href = address === undefined ? null : safeAddress(address)
    // A link with an unsafe URL stays plain text.
    if (address !== undefined && href === null) continue
    if (match.index > from) runs.push(plainRun(line.slice(from, match.index)))
    runs.push({ text: strong ?? text!, strong: strong !== undefined, href })
    from = match.index + whole.length
  }
  if (from < line.length) runs.push(plainRun(line.slice(from)))
  return runs
}

const plainRun = (text: string): Run => ({ text, strong: false, href: null })

function safeAddress(address: string): string | null {
  if (/^\/(?![/\\])[\w\-./?=&#%]*$/.test(address)) return address
  const url = URL.parse(address)
  return url && ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url.href : null
}
