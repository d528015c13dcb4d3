import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blocksOf, openTerms } from './read-terms.ts'

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

test('headings, paragraphs and lists come out as the operator wrote them', () => {
  const text =
    '# Rules\nFirst line\nsecond line.\n\nWhat counts:\n- one\n  and more\n* two\n## Next ##\nEnd\n'
  expect(blocksOf(text)).toEqual([
    { kind: 'heading', lines: [[run('Rules')]] },
    { kind: 'paragraph', lines: [[run('First line second line.')]] },
    { kind: 'paragraph', lines: [[run('What counts:')]] },
    { kind: 'list', lines: [[run('one and more')], [run('two')]] },
    { kind: 'heading', lines: [[run('Next')]] },
    { kind: 'paragraph', lines: [[run('End')]] },
  ])
  expect(blocksOf('\uFEFF# Rules\r\n\r\nText\r\n')).toEqual(blocksOf('# Rules\n\nText'))
})

test('strong words and links stand in their line', () => {
  const [block] = blocksOf(
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
])('what would not be safe to follow stays as it was written: %s', (line) => {
  expect(blocksOf(line)).toEqual([{ kind: 'paragraph', lines: [[run(line)]] }])
})

test('without a file the game has a text of its own, which promises nothing', async () => {
  const { blocks, changedAt } = (await (await openTerms({ termsFile: '', log }))()).reply
  expect(changedAt).toBeNull()
  expect(blocks.filter(({ kind }) => kind === 'heading').length).toBeGreaterThan(4)
  expect(JSON.stringify(blocks)).not.toMatch(/\*\*|\]\(|guaranteed/)
})

test('an edit shows without a restart, and a file that is gone or emptied leaves the last text', async () => {
  write('# Ours\n\nFirst.')
  const read = await openTerms({ termsFile, log })
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

test('a file that cannot be used stops the start with one sentence that names the setting', async () => {
  await expect(openTerms({ termsFile, log })).rejects.toThrow(
    `TERMS_FILE is "${termsFile}", which cannot be used: ENOENT.`,
  )
  write(' \n')
  await expect(openTerms({ termsFile, log })).rejects.toThrow('cannot be used: it is empty.')
  write(`# Long\n${'x'.repeat(300_000)}`)
  await expect(openTerms({ termsFile, log })).rejects.toThrow(
    'cannot be used: it is longer than 262144 bytes.',
  )
})
