import { parseArgs } from 'node:util'
import { measureChainMemory } from './measure-chain-memory.ts'

const USAGE = `npm run test:chain-memory -- [--transactions N]

  --transactions N   how many, 1000 to 10000000 (100000)

Sends transfers of tokens to a local chain, reads them as the game does, and says whether the memory of the chain grows.`

const { values } = parseArgs({ options: { transactions: { type: 'string' } } })
const transactions = Number(values.transactions ?? 100_000)
if (!(Number.isInteger(transactions) && transactions >= 1_000 && transactions <= 10_000_000)) {
  process.stderr.write(`${USAGE}\n`)
  process.exit(2)
}
const { megabytes, verdict } = await measureChainMemory(transactions)
process.stdout.write(
  `Memory of the local chain after each ${transactions / megabytes.length} transactions: ${megabytes.map((each) => each.toFixed(1)).join(', ')} MB. ${verdict}\n`,
)
process.exitCode = verdict === 'grows' ? 1 : 0
