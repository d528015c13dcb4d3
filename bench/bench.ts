import { spawnSync } from 'node:child_process'
import { describeMachine } from './machine.ts'
import { findSection, renderTable, writeResult } from './record.ts'
import { Interrupted, type Suite } from './suite.ts'

const suites: Record<string, () => Promise<Suite>> = {
  claims: async () => (await import('./suites/claims.ts')).claims,
  apis: async () => (await import('./suites/apis.ts')).apis,
  sales: async () => (await import('./suites/sales.ts')).sales,
  logins: async () => (await import('./suites/logins.ts')).logins,
  reads: async () => (await import('./suites/reads.ts')).reads,
  realtime: async () => (await import('./suites/realtime.ts')).realtime,
  sockets: async () => (await import('./suites/sockets.ts')).sockets,
  growth: async () => (await import('./suites/growth.ts')).growth,
  storage: async () => (await import('./suites/storage.ts')).storage,
  year: async () => (await import('./suites/year.ts')).year,
  reserve: async () => (await import('./suites/reserve.ts')).reserve,
  pooler: async () => (await import('./suites/pooler.ts')).pooler,
  deposits: async () => (await import('./suites/deposits.ts')).deposits,
  backup: async () => (await import('./suites/backup.ts')).backup,
  console: async () => (await import('./suites/console.ts')).operatorsConsole,
  page: async () => (await import('./suites/page.ts')).page,
}

const [names, flags] = [
  process.argv.slice(2).filter((word) => !word.startsWith('-')),
  process.argv.slice(2).filter((word) => word.startsWith('-')),
]
const [name, ...others] = (names.length > 0 ? names : Object.keys(suites)) as [string, ...string[]]
const load = Object.hasOwn(suites, name) ? suites[name] : undefined
const unknown = [
  ...names.filter((each) => !Object.hasOwn(suites, each)),
  ...flags.filter((flag) => flag !== '--quick'),
]

if (!load || unknown.length > 0) {
  console.error(`npm run bench -- [suite…] [--quick]; the suites are: ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}

const quick = flags.includes('--quick')
// Not after minutes of measuring.
if (!quick) findSection(name)
const suite = await load()
console.log(`${suite.title}${quick ? ' (quick: fewer and shorter rounds, not recorded)' : ''}`)
const measured = await suite.run({ quick, say: console.log }).catch((error: unknown) => {
  if (!(error instanceof Interrupted)) console.error(error)
  // Requests that are still in flight must not keep the process alive.
  process.exit(error instanceof Interrupted ? 130 : 1)
})
const result = { suite: name, at: new Date().toISOString(), quick, machine: describeMachine(), ...measured }
console.log(`\n${renderTable(result)}`)
if (!quick) writeResult(result)

// Each suite gets its own process, so that compiled code and memory of one do not affect the next.
if (others.length > 0) {
  const again = [import.meta.filename, ...others, ...flags]
  process.exitCode = spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 130
}
