import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateHybridIdentity, generateX25519Identity } from 'age-encryption'
import { afterAll, expect, test } from 'vitest'
import { StartupError } from '#server/platform/startup-error.ts'
import { readIdentities } from './read-identities.ts'

const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-identities-'))
const file = join(dir, 'backup.key')
afterAll(() => rmSync(dir, { recursive: true }))

function readFrom(...lines: string[]): string[] {
  writeFileSync(file, lines.join('\r\n'))
  return readIdentities(file)
}

test('a key that was copied with a wrong character is named, and not the backup that it does not open', async () => {
  for (const key of [await generateX25519Identity(), await generateHybridIdentity()]) {
    expect(readFrom('# public key: age1…', key, '')).toEqual([key])
    const wrong = `${key.slice(0, -1)}${key.endsWith('Q') ? 'P' : 'Q'}`
    for (const copy of [wrong, key.slice(0, -1)])
      expect(() => readFrom(copy)).toThrow(
        new StartupError(
          `${file} contains a key of age with a wrong or missing character: compare it with the original.`,
        ),
      )
  }
})
