import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import type { Policy } from './describe-policy.ts'
import { parseBlocks, openTerms } from './read-terms.ts'

const policy: Policy = { cluster: 'mainnet', limits: readWithdrawalSettings({}).limits }
const log = pino({ level: 'silent' })
let folder = ''
let termsFile = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotton-farm-terms-'))
  termsFile = join(folder, 'terms.md')
})
afterEach(() => rmSync(folder, { recursive: true }))

let second = 1_800_000_000
function write(text: string): void {
  writeFileSync(termsFile, text)
  second += 1
  utimesSync(termsFile, second, second)
}

const run = (text: string) => ({ text, strong: false, href: null })

test('headings, paragraphs and lists are parsed as the operator wrote them', () => {
  const text =
    '# Rules\nFirst line\nsecond line.\n\nWhat counts:\n- one\n  and more\n* two\n## Next ##\nEnd\n'
  expect(parseBlocks(text)).toEqual([
    { kind: 'heading', lines: [[run('Rules')]] },
    { kind: 'paragraph', lines: [[run('First line second line.')]] },
    { kind: 'paragraph', lines: [[run('What counts:')]] },
    { kind: 'list', lines: [[run('one and more')], [run('two')]] },
    { kind: 'heading', lines: [[run('Next')]] },
    { kind: 'paragraph', lines: [[run('End')]] },
  ])
  expect(parseBlocks('\uFEFF# Rules\r\n\r\nText\r\n')).toEqual(parseBlocks('# Rules\n\nText'))
})

test('strong text and links are parsed within a line', () => {
  const [block] = parseBlocks(
    'Read **this** and [the rest](https://farm.example/a?b=c), or [the map](/parcels).',
  )
  expect(block!.lines[0]).toEqual([
    run('Read '),
    { text: 'this', strong: true, href: null },
    run(' and '),
    { text: 'the rest', strong: false, href: 'https://farm.example/a?b=c' },
    run(', or '),
    { text: 'the map', strong: false, href: '/parcels' },
    run('.'),
  ])
})

test.each([
  '[x](javascript:alert)',
  '[x](data:text/html,hi)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '<script>alert(1)</script>',
])('an unsafe link stays plain text: %s', (line) => {
  expect(parseBlocks(line)).toEqual([{ kind: 'paragraph', lines: [[run(line)]] }])
})

test('without a file, the game has built-in terms, which promise nothing', async () => {
  const { blocks, changedAt } = (await (await openTerms({ termsFile: '', log, policy }))()).reply
  expect(changedAt).toBeNull()
  expect(blocks.filter(({ kind }) => kind === 'heading').length).toBeGreaterThan(4)
  expect(JSON.stringify(blocks)).not.toMatch(/\*\*|\]\(|guaranteed|\{resale/)
  // The spec's number (S-61).
  expect(JSON.stringify(blocks)).toContain('for a fee of 10 percent')
})

test('an edit is served without a restart, and a deleted or empty file leaves the last text', async () => {
  write('# Ours\n\nFirst.')
  const read = await openTerms({ termsFile, log, policy })
  const first = await read()
  expect(first.reply.blocks.at(-1)).toEqual({ kind: 'paragraph', lines: [[run('First.')]] })
  expect(await read()).toBe(first)
  write('# Ours\n\nSecond.')
  const edited = await read()
  expect(edited.reply.blocks.at(-1)).toEqual({ kind: 'paragraph', lines: [[run('Second.')]] })
  expect(edited.reply.changedAt).not.toBe(first.reply.changedAt)
  write('')
  expect(await read()).toBe(edited)
  rmSync(termsFile)
  expect(await read()).toBe(edited)
  write('# Ours\n\nThird.')
  expect((await read()).reply.blocks.at(-1)).toEqual({ kind: 'paragraph', lines: [[run('Third.')]] })
})

test('a terms file that cannot be read is logged once, however many players read the terms', async () => {
  write('# Ours\n\nFirst.')
  const logged: string[] = []
  const warnings = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const read = await openTerms({ termsFile, log: warnings, policy })
  rmSync(termsFile)
  for (let each = 0; each < 10; each++) await read()
  expect(logged).toHaveLength(1)
  expect(JSON.parse(logged[0]!)).toMatchObject({
    reading: termsFile,
    reason: expect.stringContaining('ENOENT'),
  })
  write('# Ours\n\nSecond.')
  await read()
  expect(logged.map((line) => JSON.parse(line).msg)[1]).toBe('works again')
})

test('an unusable terms file stops the start with one sentence that names the setting', async () => {
  await expect(openTerms({ termsFile, log, policy })).rejects.toThrow(
    `TERMS_FILE is "${termsFile}", which cannot be used: ENOENT.`,
  )
  write(' \n')
  await expect(openTerms({ termsFile, log, policy })).rejects.toThrow('cannot be used: it is empty.')
  write(`# Long\n${'x'.repeat(300_000)}`)
  await expect(openTerms({ termsFile, log, policy })).rejects.toThrow(
    'cannot be used: it is longer than 262144 bytes.',
  )
})

/** Everything that the terms say, as one text. */
async function termsOf(of: Policy, file = ''): Promise<string> {
  const { blocks } = (await (await openTerms({ termsFile: file, log, policy: of }))()).reply
  return blocks.flatMap(({ lines }) => lines.map((line) => line.map(({ text }) => text).join(''))).join('\n')
}

test('the terms state the configured limits, and no other number', async () => {
  const { limits } = readWithdrawalSettings({
    WITHDRAWAL_REVIEW_ABOVE: '4321',
    WITHDRAWAL_NEW_WALLET_HOURS: '17',
    WITHDRAWALS_PER_WALLET_DAY: '1',
    WITHDRAWN_PER_WALLET_DAY: '8765',
    WITHDRAWALS_PER_HOUR: '77',
    WITHDRAWN_PER_HOUR: '654321',
    OPEN_WITHDRAWALS_PER_WALLET: '3',
  })
  const text = await termsOf({ cluster: 'mainnet', limits })
  for (const said of [
    'first withdrawal of a wallet waits',
    'less than 17 hours',
    'more than 4,321 $COTTON',
    'A very large one needs the approval of two people',
    'beyond 1 withdrawal or 8,765 $COTTON',
    'beyond 77 withdrawals or 654,321 $COTTON of all wallets together within an hour. Withdrawals that you cancel, or that the chain rejects, count towards the number',
    'could not be checked within a day',
    'A wallet can have 3 open withdrawals',
    'only once one of your deposits has been credited',
    '1 percent of the pool',
    'one wallet can take at most 2 percent',
  ])
    expect(text).toContain(said)
  expect(text).not.toMatch(/[{}]|test chain/)
  expect(text).toContain('right away.\nYou can withdraw earned credit only once')
  expect(await termsOf({ ...policy, limits: { ...limits, newWalletHours: 0 } })).not.toContain('less than')
})

test('on the local chain, the terms say that nothing waits for the operator, and require no deposit', async () => {
  const text = await termsOf({ ...policy, cluster: 'local' })
  expect(text).toContain('No withdrawal waits for the operator.')
  expect(text).toContain('A wallet can have 10 open withdrawals')
  expect(text).not.toMatch(/[{}]|must approve|has been credited|first withdrawal/)
})

test('an operator’s own terms can use placeholders, which are replaced by the rules in force', async () => {
  write('# Ours\n\n- {withdrawal rules}\n- {our own}\n- Like {withdrawal rules}.')
  const text = await termsOf(policy, termsFile)
  expect(text).toContain('more than 10,000 $COTTON')
  expect(text).toContain('\n{our own}\nLike {withdrawal rules}.')
})

test('long blanks within a line take no longer to read than other text', { timeout: 10_000 }, () => {
  // Each takes milliseconds, and more than twenty seconds with an expression that tries every blank anew.
  const blanks = ' '.repeat(200_000)
  expect(parseBlocks(`a${blanks}b`)).toHaveLength(1)
  expect(parseBlocks(`# a${blanks}b`)).toHaveLength(1)
})
