import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['game', 'contract', 'server', 'local-chain', 'web', 'tests', 'bench', 'scripts', 'tools']

type File = { path: string; text: string; lines: string[] }

const files = FOLDERS.flatMap((folder) => walk(join(ROOT, folder))).filter((file) =>
  /\.(ts|tsx|mjs|css|sql)$/.test(file.path),
)
const code = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file.path))
const product = code.filter(
  (file) => !file.path.includes('.test.') && !/^(tests|bench|scripts|tools)\//.test(file.path),
)

function walk(folder: string): File[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : walk(path)
    if (statSync(path).size > 1_000_000 || !/\.(ts|tsx|mjs|css|sql|json|md|html)$/.test(entry.name)) return []
    const text = readFileSync(path, 'utf8')
    return [{ path: relative(ROOT, path), text, lines: text.split('\n') }]
  })
}

const importsOf = ({ text }: File): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)

/** The folder or feature that a path or an import belongs to: `game`, `server/account`, `web/pages/market`, … */
function moduleOf(path: string): string {
  const [folder, second, third] = path.replace(/^#/, '').split('/')
  const isFile = (part: string) => /\.\w+$/.test(part)
  if (folder === 'server') return isFile(second!) ? 'server/app' : `server/${second}`
  if (folder !== 'web') return folder!
  if (isFile(second!)) return 'web'
  return second === 'pages' ? `web/pages/${third}` : `web/${second}`
}

// What a place may import besides itself. Imports run one way: game ← contract ← {server, web}.
const SERVER_BASE = ['game', 'contract', 'server/platform']
const FEATURE_BASE = [
  ...SERVER_BASE,
  'server/ledger',
  'server/freeze',
  'server/realtime',
  'server/chain',
  'server/account',
  'server/actions',
]
const WITHDRAWAL_BASE = [...FEATURE_BASE, 'server/deposits', 'server/withdrawals']
const WEB_BASE = ['game', 'contract', 'web']
// Each of these may import those before it.
const WEB_LAYERS = [
  'art',
  'messages',
  'audio',
  'ui',
  'api',
  'realtime',
  'wallet',
  'deposits',
  'popups',
  'land',
  'goals',
  'shell',
]
const webLayer = (name: string): [string, string[]] => [
  `web/${name}`,
  [...WEB_BASE, ...WEB_LAYERS.slice(0, WEB_LAYERS.indexOf(name)).map((each) => `web/${each}`)],
]
const MAY_IMPORT: Record<string, string[]> = {
  game: [],
  contract: ['game'],
  'local-chain': ['server/platform', 'server/chain'],
  'server/platform': ['game', 'contract'],
  'server/ledger': SERVER_BASE,
  'server/freeze': SERVER_BASE,
  'server/announcements': [...SERVER_BASE, 'server/realtime'],
  'server/cleanup': SERVER_BASE,
  'server/realtime': SERVER_BASE,
  'server/chain': SERVER_BASE,
  'server/account': [
    ...SERVER_BASE,
    'server/ledger',
    'server/freeze',
    'server/realtime',
    'server/chain',
    'server/actions',
  ],
  'server/actions': [...SERVER_BASE, 'server/ledger', 'server/freeze'],
  'server/workers': FEATURE_BASE,
  'server/parcels': FEATURE_BASE,
  'server/market': [...FEATURE_BASE, 'server/workers', 'server/parcels'],
  'server/milestones': FEATURE_BASE,
  'server/deposits': FEATURE_BASE,
  'server/withdrawals': [...FEATURE_BASE, 'server/deposits'],
  'server/operators': FEATURE_BASE,
  'server/signer': [...WITHDRAWAL_BASE, 'server/operators', 'server/solvency', 'server/market'],
  'server/solvency': WITHDRAWAL_BASE,
  'server/monitoring': [...WITHDRAWAL_BASE, 'server/signer', 'server/solvency'],
  'server/ops': [
    ...WITHDRAWAL_BASE,
    'server/workers',
    'server/parcels',
    'server/market',
    'server/milestones',
    'server/operators',
    'server/announcements',
    'server/signer',
    'server/solvency',
  ],
  'server/backup': [...FEATURE_BASE, 'server/deposits', 'server/signer', 'server/ops', 'server/processes'],
  'server/site': [...WITHDRAWAL_BASE, 'server/solvency', 'server/world'],
  'server/world': [
    ...SERVER_BASE,
    'server/realtime',
    'server/workers',
    'server/parcels',
    'server/market',
    'server/announcements',
  ],
  'server/console': [
    ...WITHDRAWAL_BASE,
    'server/workers',
    'server/market',
    'server/operators',
    'server/freeze',
    'server/announcements',
    'server/signer',
    'server/solvency',
    'server/monitoring',
  ],
  'server/processes': [...SERVER_BASE, 'server/chain', 'server/world', 'server/operators'],
  web: ['game', 'contract'],
  // The game's pages load nothing of the console.
  'web/console': [
    ...WEB_BASE,
    ...['css', 'art', 'messages', 'ui', 'api', 'wallet'].map((name) => `web/${name}`),
  ],
  ...Object.fromEntries(WEB_LAYERS.map(webLayer)),
}
const PAGE_BASE = [...WEB_BASE, ...WEB_LAYERS.map((name) => `web/${name}`)]

const mayImport = (ownModule: string): string[] => {
  return MAY_IMPORT[ownModule] ?? (ownModule.startsWith('web/pages/') ? PAGE_BASE : [])
}

test('imports between folders and features run one way', () => {
  const wrong = product.flatMap((file) => {
    const ownModule = moduleOf(file.path)
    // The page table imports every page when it is opened.
    if (['server/app', 'web/boot'].includes(ownModule) || file.path === 'web/pages.ts') return []
    const allowed = [ownModule, ...mayImport(ownModule)]
    return importsOf(file)
      .filter((name) => name.startsWith('#') && !allowed.includes(moduleOf(name)))
      .map((name) => `${file.path} imports ${name}`)
  })
  expect(wrong).toEqual([])
})

test('relative imports stay within a feature; other features are imported by name', () => {
  const leaving = product.flatMap((file) =>
    importsOf(file)
      .filter(
        (name) => name.startsWith('.') && moduleOf(join(dirname(file.path), name)) !== moduleOf(file.path),
      )
      .filter(() => !['server/app', 'web/boot'].includes(moduleOf(file.path)))
      .map((name) => `${file.path} imports ${name}`),
  )
  expect(leaving).toEqual([])
})

test('the rules of the game use no clock, no random numbers and no library', () => {
  const rules = product.filter((file) => file.path.startsWith('game/'))
  expect(rules.length).toBeGreaterThan(2)
  for (const file of rules) {
    expect(
      importsOf(file).filter((name) => !name.startsWith('./')),
      file.path,
    ).toEqual([])
    expect(file.text, file.path).not.toMatch(/Date\.now|new Date\(\)|Math\.random/)
  }
})

test('features take the time from the clock that is passed in', () => {
  const features = product.filter((file) => /^server\/(?!platform|processes\/)/.test(file.path))
  const own = features.filter((file) => /Date\.now\(|new Date\(\)/.test(file.text))
  expect(own.map((file) => file.path)).toEqual([])
})

test('only the ledger writes balances', () => {
  const writers = product.filter((file) =>
    /(insert into|update) (accounts|entries|journals)\b/.test(file.text),
  )
  expect(new Set(writers.map((file) => moduleOf(file.path)))).toEqual(new Set(['server/ledger']))
})

/** The product files that import a module, without a path's prefix `server/signer/`. */
const importersOf = (module: string): string[] =>
  product
    .filter((file) => importsOf(file).some((name) => name.endsWith(`/${module}`)))
    .map((file) => file.path.replace('server/signer/', ''))
    .toSorted()

test('the seed stays in server/signer/keys', () => {
  for (const module of ['derive-keys.ts', 'master-seed.ts'])
    expect(importersOf(module), module).toEqual(['keys/key-ring.ts'])
  expect(importersOf('sealed-seed.ts')).toEqual(['keys/master-seed.ts'])
})

test('only steps that derive keys get the key ring, and no step gets the whole signer', () => {
  expect(importersOf('key-ring.ts')).toEqual([
    'keys/ensure-free-addresses.ts',
    'nonces/open-lanes.ts',
    'signer.ts',
    'start-signer.ts',
    'sweeps/sweep-deposits.ts',
  ])
  expect(importersOf('signer.ts')).toEqual(['start-signer.ts'])
})

test('only steps that sign transactions get the treasury key', () => {
  const signing = product.filter(
    (file) => file.path.startsWith('server/') && /\bKeyPairSigner\b/.test(file.text),
  )
  expect(signing.map((file) => file.path.replace('server/signer/', '')).toSorted()).toEqual([
    'keys/derive-keys.ts',
    'keys/key-ring.ts',
    'nonces/open-lanes.ts',
    'nonces/renew-lanes.ts',
    'payouts/replace-payouts.ts',
    'payouts/sign-approved.ts',
    'server/chain/transactions.ts',
    'signer.ts',
    'sweeps/sweep-deposits.ts',
  ])
})

test('files stay under 400 lines', () => {
  const long = code
    .filter((file) => file.lines.length > 400)
    .map((file) => `${file.path}: ${file.lines.length}`)
  expect(long).toEqual([])
})

test('no folder or file is named utils, helpers, common, misc or index', () => {
  const drawers = code.filter((file) => /(^|\/)(utils?|helpers?|common|misc|index)(\.|\/)/.test(file.path))
  expect(drawers.map((file) => file.path)).toEqual([])
})

test('names are kebab-case', () => {
  const odd = code.filter((file) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(file.path.split('/').at(-1)!))
  expect(odd.map((file) => file.path)).toEqual([])
})

test('the code has no TODO, no debugger statement and no focused test', () => {
  const words = /\b(TODO|FIXME|XXX|HACK)\b|@ts-ignore|@ts-nocheck|debugger;|\.only\(/
  const left = code.filter((file) => file.path !== 'tests/house.test.ts' && words.test(file.text))
  expect(left.map((file) => file.path)).toEqual([])
})

test('Vitest runs the test files of every folder that has some', () => {
  const config = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8')
  const lists = [...config.matchAll(/= inFolders\(([^)]+)\)/g)].map((match) => match[1]!)
  const tests = code.map((file) => file.path).filter((path) => path.includes('.test.'))
  expect(lists).toHaveLength(2)
  expect(tests.length).toBeGreaterThan(300)
  expect(tests.filter((path) => !lists.join().includes(`'${path.split('/')[0]}'`))).toEqual([])
})

test('every statement has a unique name', () => {
  const names = product.flatMap((file) =>
    [...file.text.matchAll(/\bsql\(\s*\{\s*name:\s*'([^']+)'/g)].map((match) => match[1]!),
  )
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('writes without waiting use send, and rows are typed by their statement', () => {
  const wrong = product.filter((file) => /\bvoid \w+\.rows\(|\.rows</.test(file.text))
  expect(wrong.map((file) => file.path)).toEqual([])
})

test('the browser imports no schema: the production build removes them', () => {
  const imported = files
    .filter((file) => file.path.startsWith('web/') && !file.path.endsWith('.test.ts'))
    .flatMap((file) => [...file.text.matchAll(/import \{([^}]*)\} from '#contract\/[^']*'/g)])
    .flatMap(([, names]) => names!.split(',').map((name) => name.trim()))
  expect(imported.length).toBeGreaterThan(20)
  expect(imported.filter((name) => /^[A-Z][a-z]/.test(name))).toEqual([])
})

test('a parameter named tx is a transaction', () => {
  const wrong = code.filter((file) => /\btx: Queryable\b/.test(file.text))
  expect(wrong.map((file) => file.path)).toEqual([])
})

test('versions of all dependencies are exact', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  )
  expect(loose).toEqual([])
})

test('the game promises no profit (A-14, N-10)', () => {
  const words = files.filter((file) => file.path.startsWith('web/messages/'))
  expect(words.length).toBeGreaterThan(1)
  for (const { path, text } of words) {
    expect(text, path).not.toMatch(
      /pays for itself|almost gone|best start|\bAPY\b|\bROI\b|guaranteed|passive income/i,
    )
  }
})
