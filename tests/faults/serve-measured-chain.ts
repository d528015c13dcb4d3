import { startLocalChain } from '#local-chain/run-local-chain.ts'
import { readMemory } from './watch-resources.ts'

// A local chain in a process of its own, in the folder of the argument, ten times as fast as usual. It sends its URL, and
// then, for each message that it receives, its memory in bytes after it has collected all its garbage.
const { url } = await startLocalChain({ dir: process.argv[2]!, port: 0, slotMs: 40 })
process.on('message', () => {
  globalThis.gc!({ execution: 'sync', type: 'major', flavor: 'last-resort' })
  process.send!(readMemory(process.pid))
})
process.on('disconnect', () => process.exit())
process.send!(url)
