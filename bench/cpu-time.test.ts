import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { parentOf, cpuTimeOf, cpuTimeWithChildren, cpuTimeWithEnded } from './cpu-time.ts'

const here = process.pid
const BURN = 'const from = process.cpuUsage(); while (process.cpuUsage(from).user < 100_000);'

// Other systems do not report it.
const onLinux = test.runIf(process.platform === 'linux')

onLinux('the CPU time of an ended program counts for its parent', () => {
  const before = cpuTimeWithEnded(here)!
  spawnSync(process.execPath, ['-e', BURN])
  expect(cpuTimeWithEnded(here)! - before).toBeGreaterThanOrEqual(0.1)
})

onLinux('the CPU time of a running program counts for its parent', async () => {
  const [before, own] = [cpuTimeWithChildren(here)!, cpuTimeOf(here)!]
  const child = spawn(process.execPath, ['-e', `${BURN} console.log(1); setInterval(() => {}, 1_000)`])
  await once(child.stdout, 'data')
  expect(parentOf(child.pid!)).toBe(here)
  const [all, ownSince] = [cpuTimeWithChildren(here)! - before, cpuTimeOf(here)! - own]
  expect(all - ownSince).toBeGreaterThanOrEqual(0.09)
  child.kill()
  await once(child, 'exit')
})

onLinux('an ended process has no CPU time', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  expect(cpuTimeOf(pid)).toBeUndefined()
  expect(cpuTimeWithChildren(pid)).toBeUndefined()
})
