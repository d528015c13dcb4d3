import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { expect, test } from 'vitest'
import { passwordSetting, roleNames } from '#server/platform/db/roles.ts'
import { SECTIONS, SETTINGS } from '#server/platform/settings.ts'
import { deriveTreasuryKey } from '#server/signer/keys/derive-keys.ts'
import { ACCESS_PAGE, writeAccess } from '../scripts/list-access.mjs'
import { MONITORING_PAGE, writeMetrics } from '../scripts/list-metrics.mjs'
import { SCALE_PAGE, writeScale } from '../scripts/list-scale.mjs'
import { writeConfiguration, writeEnvironmentSample } from '../scripts/list-settings.mjs'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const documents = globSync('**/*.md', { cwd: ROOT, exclude: ['node_modules/**', '.*/**'] })

test('every link in the documents points to an existing file', () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
      .map((match) => (match[1] ?? match[2]!).split('#')[0]!)
      .filter((target) => target !== '' && !/^https?:/.test(target))
      .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
      .map((target) => `${path} links to ${target}`),
  )
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'deploy/cluster/README.md', 'docs/spec.md']))
  expect(broken).toEqual([])
})

/** The anchor that a heading gets. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

test('every link to a heading in the documents points to an existing one', () => {
  const links = documents
    .filter((path) => !path.includes('THIRD-PARTY'))
    .flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:)([^)\s#]*)#([^)\s]+)\)/g)].map(([, file, anchor]) => ({
        path,
        target: file ? join(dirname(path), file) : path,
        anchor: anchor!,
      })),
    )
    .filter(({ target }) => target.endsWith('.md'))
  const broken = links.filter(({ target, anchor }) => {
    const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1]!))
    return !headings.includes(anchor)
  })
  expect(links.length).toBeGreaterThan(20)
  expect(broken.map(({ path, target, anchor }) => `${path} links to ${target}#${anchor}`)).toEqual([])
})

test('every project file that the documents name in code marks exists', () => {
  const named = documents
    .filter((path) => !/CHANGELOG|THIRD-PARTY/.test(path))
    .flatMap((path) =>
      [
        ...read(path).matchAll(
          /`((?:game|contract|server|local-chain|web|tests|bench|scripts|tools|data|deploy|docs)\/[\w./-]+)`/g,
        ),
      ].map((match) => ({ path, target: match[1]! })),
    )
  expect(named.length).toBeGreaterThan(50)
  const missing = named.filter(({ target }) => !existsSync(join(ROOT, target)))
  expect(missing.map(({ path, target }) => `${path} names ${target}`)).toEqual([])
})

/** The formatter aligns the columns of tables. */
const withoutAlignment = (page: string) => page.replaceAll(/ {2,}\|/g, ' |').replaceAll(/-{4,}/g, '---')

test('docs/configuration.md is up to date; else run: npm run docs:configuration', () => {
  expect(read('docs/configuration.md')).toBe(writeConfiguration())
  expect(read('deploy/cotton-farm.env')).toBe(writeEnvironmentSample())
})

test('the cluster’s pooler is given the login of each role', () => {
  const roles = roleNames.filter((name) => name !== 'readonly').map((name) => `'${name}'`)
  expect(read('deploy/cluster/README.md')).toContain(`where rolname in (${roles.join(', ')})`)
})

test('the samples of proxies send players to the port that an api listens on by default', () => {
  for (const path of ['proxy/haproxy.cfg', 'proxy/nginx.conf', 'proxy/Caddyfile', 'cluster/haproxy.cfg']) {
    const ports = [...read(`deploy/${path}`).matchAll(/(?:server (?:api\d )?|FARM_API=)[\d.]+:(\d+)/g)]
    expect(ports.length, path).toBeGreaterThan(0)
    for (const [line, port] of ports) expect(Number(port), `${path}: ${line}`).toBe(SETTINGS.PORT.default)
  }
})

test('the samples of nginx and HAProxy offer TLS 1.2 and newer, with forward secrecy', () => {
  const suites = 'ECDHE+AESGCM:ECDHE+CHACHA20'
  const nginx = ['ssl_protocols TLSv1.2 TLSv1.3;', `ssl_ciphers ${suites};`]
  const haproxy = ['ssl-default-bind-options ssl-min-ver TLSv1.2', `ssl-default-bind-ciphers ${suites}`]
  for (const line of nginx) expect(read('deploy/proxy/nginx.conf')).toContain(`    ${line}\n`)
  for (const folder of ['proxy', 'cluster'])
    for (const line of haproxy) expect(read(`deploy/${folder}/haproxy.cfg`)).toContain(`    ${line}\n`)
})

test('the samples of nginx and HAProxy do not wait long for an api whose machine is lost', () => {
  expect(read('deploy/proxy/nginx.conf')).toContain('    proxy_connect_timeout 2s;\n')
  for (const folder of ['proxy', 'cluster'])
    expect(read(`deploy/${folder}/haproxy.cfg`)).toContain('    timeout connect 2s\n')
})

test('Patroni asks for a password before it changes something', () => {
  const [, restapi] = /^restapi:\n((?: .*\n)+)/m.exec(read('deploy/cluster/patroni.yml')) ?? []
  expect(restapi).toMatch(/^ {2}authentication: \{ username: patroni, password: CHANGE-ME-4 \}$/m)
})

test('docs/operate/monitoring.md lists every metric; else run: npm run docs:metrics', () => {
  const page = readFileSync(MONITORING_PAGE, 'utf8')
  expect(withoutAlignment(page)).toBe(withoutAlignment(writeMetrics(page)))
})

test('docs/security/access.md shows the declared routes; else run: npm run docs:access', () => {
  expect(withoutAlignment(readFileSync(ACCESS_PAGE, 'utf8'))).toBe(withoutAlignment(writeAccess()))
})

test('docs/scale.md is computed from the recorded results; else run: npm run docs:scale', () => {
  const page = readFileSync(SCALE_PAGE, 'utf8')
  expect(withoutAlignment(page)).toBe(withoutAlignment(writeScale(page)))
})

test('each setting that the program reads is in the documentation', () => {
  const internal = ['LOCAL_CHAIN']
  const listed = SECTIONS.flatMap(({ settings }) => Object.keys(settings))
  expect([...listed, ...internal].toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
  const seed = read('server/signer/keys/master-seed.ts').match(/\bSIGNER_[A-Z_]+\b/g) ?? []
  expect(listed).toEqual(expect.arrayContaining([...new Set(seed), ...roleNames.map(passwordSetting)]))
})

test('every npm script that the documents name exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = documents.flatMap((path) =>
    [...read(path).matchAll(/npm run ([a-z][\w:-]*)|npm (start|test)\b/g)].map(
      (match) => match[1] ?? match[2]!,
    ),
  )
  expect(named.length).toBeGreaterThan(5)
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

test('a command of the documents that names tests by their title finds one', () => {
  const commands = documents.flatMap((path) => [...read(path).matchAll(/vitest run ([\w/-]+) -t "([^"]+)"/g)])
  expect(commands.length).toBeGreaterThan(0)
  for (const [command, folder, title] of commands) {
    const files = globSync(`${folder}/**/*.test.ts`, { cwd: ROOT })
    expect(
      files.some((file) => read(file).includes(title!)),
      command,
    ).toBe(true)
  }
})

const decisions = readdirSync(join(ROOT, 'docs/decisions'))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .toSorted()

test('decisions are numbered without a gap and have their four parts', () => {
  expect(decisions.map((name) => Number(name.slice(0, 4)))).toEqual(decisions.map((_name, at) => at + 1))
  const parts = ['Context', 'Decision', 'Consequences', 'Alternatives']
  for (const name of decisions) {
    const heads = [...read(`docs/decisions/${name}`).matchAll(/^## (.+)$/gm)].map((match) => match[1])
    expect(heads, name).toEqual(parts)
  }
})

test('each decision states a status and a date below its title, and a later decision that supersedes it', () => {
  for (const name of decisions) {
    const number = Number(name.slice(0, 4))
    const [title, blank, line] = read(`docs/decisions/${name}`).split('\n', 3)
    expect(title, name).toMatch(new RegExp(`^# ${number}\\. \\p{Lu}`, 'u'))
    expect(blank, name).toBe('')
    expect(line, name).toMatch(
      /^Status: (?:accepted(?:, superseded in part by \d+)?|superseded by \d+) · Date: \d{4}-\d\d-\d\d$/,
    )
    const successor = /superseded (?:in part )?by (\d+)/.exec(line!)?.[1]
    if (successor === undefined) continue
    expect(Number(successor), name).toBeGreaterThan(number)
    expect(Number(successor), name).toBeLessThanOrEqual(decisions.length)
  }
})

test('the index of the decisions is up to date', () => {
  const script = join(ROOT, 'scripts/list-decisions.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the keys that the guides have in the checkout enter neither a commit nor an image', () => {
  expect(read('docs/operate/real-cluster.md')).toContain(' > signer.seed ')
  expect(read('docs/runbooks/solvency.md')).toContain(' > treasury.json ')
  expect(read('docs/runbooks/backup-and-restore.md')).toContain('--identity backup.key')
  const linesOf = (path: string) => read(path).split('\n')
  expect(linesOf('.gitignore')).toEqual(expect.arrayContaining(['*.seed', '*.key', 'treasury.json']))
  expect(linesOf('.dockerignore')).toEqual(
    expect.arrayContaining(['**/*.seed', '**/*.key', '**/treasury.json']),
  )
})

test('the recipe of the solvency runbook writes the keypair of the treasury', async () => {
  const page = read('docs/runbooks/solvency.md')
  const [, path, program] = /signer\.seed "(m\/[^"]+)" > treasury\.json <<'EOF'\n([^]+?)\nEOF\n/.exec(page)!
  const folder = mkdtempSync(join(tmpdir(), 'cotton-farm-recipe-'))
  try {
    const file = join(folder, 'signer.seed')
    const seed = Buffer.alloc(64, 7)
    writeFileSync(file, `${seed.toString('hex')}\n`)
    const args = ['--input-type=module', '-', file, path!]
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      input: program,
      encoding: 'utf8',
      cwd: ROOT,
    })
    expect(stderr).toBe('')
    const keypair = await createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(stdout) as number[]))
    expect(keypair.address).toBe((await deriveTreasuryKey(seed)).address)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
