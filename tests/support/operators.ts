import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { Act } from '#contract/console/acts.ts'
import { RIGHTS, type Right } from '#contract/console/rights.ts'
import type { Address } from '#server/chain/port.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { readNextNumber } from '#server/operators/operator-acts.ts'
import { type Operators, readOperators } from '#server/operators/read-operators.ts'
import { prepareAct, submitAct } from '#server/operators/submit-act.ts'
import type { ActContext } from '#server/operators/verify-act.ts'
import { runCommand } from '#server/ops/ops.ts'
import type { CommandContext } from '#server/ops/command.ts'
import { executeActs } from '#server/signer/acts/execute-acts.ts'
import type { Signer } from '#server/signer/signer.ts'
import { type ChainTestWorld, SITE } from './chain-test-world.ts'
import { signingKeyOf, testPlayer } from './test-player.ts'

/** An operator of a test: the wallet, what it signs, and the keypair file that a Solana tool would write. */
export type TestOperator = {
  name: string
  wallet: string
  keyFile: string
  /** A base64 signature over a text. */
  sign(message: string): string
  signBytes(bytes: Uint8Array): Uint8Array
}

/** Operators by name, and the file that names them. All have every right unless `rights` says otherwise. */
export type TestOperators = {
  file: string
  read(): Operators
  of(name: string): TestOperator
  /** The options with which this operator signs a command. */
  key(name: string): ['--key', string]
  /** Writes the file again: who is named, with which rights. */
  name(
    operators: Readonly<Record<string, readonly Right[]>>,
    secondAbove?: string,
    creditPerDay?: string,
  ): void
}

function makeOperator(dir: string, name: string): TestOperator {
  const secret = Uint8Array.from(randomBytes(32))
  const player = testPlayer(secret)
  const { wallet, sign } = player
  const { publicKey } = signingKeyOf(player)
  const keyFile = join(dir, `${name}.json`)
  writeFileSync(keyFile, JSON.stringify([...secret, ...publicKey]), { mode: 0o600 })
  return {
    name,
    wallet,
    keyFile,
    signBytes: sign,
    sign: (message) => sign(message).toString('base64'),
  }
}

/** Makes operators with keypair files, and the operators' file, in a folder. */
export function makeOperators(names: readonly string[], dir: string): TestOperators {
  const known = new Map(names.map((name) => [name, makeOperator(dir, name)]))
  const file = join(dir, 'operators.json')
  const of = (name: string): TestOperator => {
    const found = known.get(name)
    if (!found) throw new Error(`no operator of this test is called ${name}`)
    return found
  }
  const operators: TestOperators = {
    file,
    of,
    read: () => readOperators(file),
    key: (name) => ['--key', of(name).keyFile],
    name(rights, secondAbove = '100000', creditPerDay = '1000000') {
      const list = Object.entries(rights).map(([name, granted]) => {
        return { wallet: of(name).wallet, name, rights: granted }
      })
      writeFileSync(file, JSON.stringify({ operators: list, secondAbove, creditPerDay }), { mode: 0o644 })
    },
  }
  operators.name(Object.fromEntries(names.map((name) => [name, RIGHTS])))
  return operators
}

/** Where an act is signed, and with which number, if not for this world and with the next one. */
type Over = Partial<ActContext> & { number?: number | null }

/** The operators of a world's tests and its signers, and their commands with a signer that executes signed acts at once. */
export function makeOps(world: ChainTestWorld, names: readonly string[] = ['ana', 'ben', 'zoe']) {
  world.operatorsFolder ??= mkdtempSync(join(tmpdir(), 'cotton-farm-operators-'))
  const operators = makeOperators(names, world.operatorsFolder)
  world.operators = operators.read
  const execute = async (over: Partial<Signer> = {}): Promise<void> => {
    const { signer: db, chain, clock, log } = world
    const treasury = { address: (await readBoundChain(world.owner))!.treasury as Address }
    const acting = { db, chain, clock, log, site: SITE, treasury, operators: operators.read, coldWallets: [] }
    // Each call is a signer of its own.
    const takeBackPause = { rounds: 0 }
    await executeActs({ ...acting, takeBackPause, ...over, reconciled: true })
  }
  const context = async (): Promise<ActContext> => {
    const { treasury } = (await readBoundChain(world.owner))!
    return { site: SITE, treasury, operators: operators.read() }
  }
  const sign = async (name: string, act: Act, over: Over = {}) => {
    const { wallet: operator, sign: signText } = operators.of(name)
    const { number = await readNextNumber(world.owner, act), ...place } = over
    const { toSign } = prepareAct({ ...(await context()), ...place }, act, {
      operator,
      number,
      now: world.clock.now(),
    })
    return { act, operator, message: toSign.message, signature: signText(toSign.message) }
  }
  return {
    operators,
    /** What the wallet of an operator signs, with all that a submission needs. Nothing is stored. */
    sign,
    /** Lets the signer execute what waits. */
    execute,
    /** What verifies acts now. */
    context,
    /** Signs an act as its operator and submits it; returns its nonce. */
    async submit(name: string, act: Act, over: Over = {}): Promise<string> {
      const { number: _number, ...elsewhere } = over
      const place = { ...(await context()), ...elsewhere }
      const signed = { ...(await sign(name, act, over)), now: world.clock.now() }
      const { nonce, problem } = await submitAct(world.owner, place, signed)
      if (problem !== null) throw new Error(problem)
      return nonce
    },
    /** Runs a command and returns its output. */
    async run(args: readonly string[], over: Partial<CommandContext> = {}, signer: Partial<Signer> = {}) {
      const output: string[] = []
      await runCommand(args, {
        db: world.owner,
        clock: world.clock,
        say: (line) => void output.push(line),
        acts: { publicUrl: SITE.uri, operators: operators.read(), sleep: () => execute(signer) },
        ...over,
      })
      return output.join('\n')
    },
  }
}
