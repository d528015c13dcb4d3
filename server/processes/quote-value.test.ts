import { parseEnv } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { printEnvironment } from './print-environment.ts'
import { quoteValue } from './quote-value.ts'

afterEach(() => vi.unstubAllEnvs())

/** A value as systemd reads it in a file of settings (systemd.exec(5), `EnvironmentFile=`). */
function readAsSystemd(text: string): string {
  if (text.startsWith("'")) return text.slice(1, text.indexOf("'", 1))
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\(["\\`$])/g, '$1')
  return text.trim().replaceAll(/\\(.)/g, '$1')
}

const VALUES = [
  'postgres://api:p%27w@db:5432/farm?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'two words',
  ' spaces at both ends ',
  'a#b $HOME `id` \\n \\\\ "quoted"',
  "o'neil",
  "'quoted'",
  '"quoted"',
  "'#' and $HOME and `id`",
  'two\nlines',
  "it's\ntwo lines",
  `both ' and " and $HOME`,
  `--permission --allow-fs-read="/home/o'neil/cotton farm/*"`,
  'Käthe ✓',
]

test.each(VALUES)('Node and systemd read %j as it is', (value) => {
  const quoted = quoteValue('X', value)
  expect(parseEnv(`A=1\nX=${quoted}\nB=2\n`)).toEqual({ A: '1', X: value, B: '2' })
  expect(readAsSystemd(quoted)).toBe(value)
})

const REFUSED = [
  "' and a line break as \\n",
  `' and " at the beginning`,
  `" and ' at the beginning`,
  `\` and ' and "`,
  `both ' and " and #`,
  `both ' and " and \\`,
  `both ' and "\nin two lines`,
  `both ' and " before a space `,
  'a carriage\rreturn',
  'an escape \u001B',
]

test.each(REFUSED)('%j, which one of them would change, is refused', (value) => {
  expect(() => quoteValue('DB_PASSWORD_API', value)).toThrow(StartupError)
  expect(() => quoteValue('DB_PASSWORD_API', value)).toThrow(/^DB_PASSWORD_API has characters/)
})

test('with a password that cannot be quoted "ops env" prints nothing', async () => {
  vi.stubEnv('DB_PASSWORD_READONLY', `both ' and " and \\`)
  const config = readConfig({ DATABASE_URL: 'postgres://owner:secret@127.0.0.1/farm' })
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  await expect(printEnvironment(['migrate', '--with-passwords'], { config, say })).rejects.toThrow(
    /^DB_PASSWORD_READONLY has characters/,
  )
  expect(lines).toEqual([])
  await printEnvironment(['migrate'], { config, say })
  expect(lines).toContain('DB_PASSWORD_READONLY=<password>')
})

test('a file with NODE_EXTRA_CA_CERTS says that Node ignores it there', async () => {
  const config = readConfig({ DATABASE_URL: 'postgres://owner:secret@127.0.0.1/farm' })
  const print = async () => {
    const lines: string[] = []
    await printEnvironment(['local-chain'], { config, say: (line) => void lines.push(line) })
    return lines.join('\n')
  }
  vi.stubEnv('NODE_EXTRA_CA_CERTS', undefined)
  expect(await print()).not.toContain('NODE_EXTRA_CA_CERTS')
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/etc/ca.pem')
  expect(await print()).toMatch(
    /^# Node ignores NODE_EXTRA_CA_CERTS in this file: export .*\nNODE_EXTRA_CA_CERTS=\/etc\/ca\.pem$/ms,
  )
})
