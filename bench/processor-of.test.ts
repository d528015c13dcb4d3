import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { parentOf, processorOf, processorWithChildren, processorWithEnded } from './processor-of.ts'

const here = process.pid
const BURN = 'const from = process.cpuUsage(); while (process.cpuUsage(from).user < 100_000);'

// Linux tells; elsewhere the tables go without.
const onLinux = test.runIf(process.platform === 'linux')

onLinux('what a program took that has ended is counted with whoever waited for it', () => {
  const before = processorWithEnded(here)!
  spawnSync(process.execPath, ['-e', BURN])
  expect(processorWithEnded(here)! - before).toBeGreaterThanOrEqual(0.1)
})

onLinux('what a program takes that still runs is counted with whoever started it', async () => {
  const [before, own] = [processorWithChildren(here)!, processorOf(here)!]
  const child = spawn(process.execPath, ['-e', `${BURN} console.log(1); setInterval(() => {}, 1_000)`])
  await once(child.stdout, 'data')
  expect(parentOf(child.pid!)).toBe(here)
  const [all, ownSince] = [processorWithChildren(here)! - before, processorOf(here)! - own]
  expect(all - ownSince).toBeGreaterThanOrEqual(0.09)
  child.kill()
  await once(child, 'exit')
})

onLinux('a process that is gone tells nothing', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  expect(processorOf(pid)).toBeUndefined()
  expect(processorWithChildren(pid)).toBeUndefined()
})
