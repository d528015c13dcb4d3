import { setTimeout } from 'node:timers/promises'
import { ChainUnavailable } from '#server/chain/port.ts'
import { readOperators } from '#server/operators/read-operators.ts'
import { systemClock } from '#server/platform/clock.ts'
import { connectBoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Config } from '#server/platform/config.ts'
import {
  AUDIT_TIMEOUT_MS,
  isDatabaseUnavailable,
  openDb,
  UnknownOutcomeError,
} from '#server/platform/db/db.ts'
import { requireDatabase } from '#server/platform/db/wait-for-database.ts'
import { escapeLine } from '#server/platform/escape-controls.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { acknowledge } from './acknowledge.ts'
import { adjust } from './adjust.ts'
import { announce, endAnnouncement, showAnnouncements } from './announce.ts'
import { approve } from './approve.ts'
import { audit } from './audit.ts'
import { BACKUP_USAGE } from './backup-usage.ts'
import type { Command, CommandContext } from './command.ts'
import { freeze, listFrozen } from './freeze.ts'
import { fund } from './fund.ts'
import { listReceipts } from './list-receipts.ts'
import { listRestored } from './list-restored.ts'
import { listWithdrawals } from './list-withdrawals.ts'
import { MAIN_USAGE } from './main-usage.ts'
import { market } from './market.ts'
import { pause, resume } from './pause.ts'
import { readArguments } from './read-arguments.ts'
import { reconcile } from './reconcile.ts'
import { reject } from './reject.ts'
import { showLog } from './show-log.ts'
import { showStatus } from './show-status.ts'
import { topUp } from './top-up.ts'
import { unfreeze } from './unfreeze.ts'

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['audit', audit],
  ['status', showStatus],
  ['withdrawals', listWithdrawals],
  ['receipts', listReceipts],
  ['approve', approve],
  ['reject', reject],
  ['pause', pause],
  ['resume', resume],
  ['unfreeze', unfreeze],
  ['freeze', freeze],
  ['frozen', listFrozen],
  ['adjust', adjust],
  ['fund', fund],
  ['reconcile', reconcile],
  ['restored', listRestored],
  ['acknowledge', acknowledge],
  ['top-up', topUp],
  ['market', market],
  ['announce', announce],
  ['announcements', showAnnouncements],
  ['withdraw-announcement', endAnnouncement],
  ['log', showLog],
])

/**
 * Runs an operator's command with the owner's login. A refusal is one sentence and exit code 1. Every change is recorded in
 * the operator log.
 */
export async function runOps(args: string[], config: OpsConfig): Promise<void> {
  const say = (line: string): void => console.log(escapeLine(line))
  await requireDatabase({ url: config.databaseUrl, applicationName: 'cotton-ops' })
  // One connection for the transaction of a command, one for reads during it.
  const db = openDb(config.databaseUrl, {
    max: 2,
    applicationName: 'cotton-ops',
    allowFullScans: true,
    ...(args[0] === 'audit' && { fullScanTimeoutMs: AUDIT_TIMEOUT_MS }),
  })
  try {
    await runCommand(args, {
      db,
      clock: systemClock,
      say,
      warn: (line) => console.error(escapeLine(line)),
      coldWallets: config.coldWallets,
      largeFrom: config.largeDeposit,
      connect: () => connectBoundChain(chainOf(config), db),
      acts: {
        publicUrl: config.publicUrl,
        operators: readOperators(config.operatorsFile),
        sleep: (ms) => setTimeout(ms),
      },
    })
  } catch (error) {
    // A refusal may quote a stored text, such as the reason of a pause.
    if (error instanceof StartupError) error.message = escapeLine(error.message)
    throw error
  } finally {
    await db.end()
  }
}

type OpsConfig = Pick<
  Config,
  'databaseUrl' | 'solanaRpcUrls' | 'cottonMint' | 'cluster' | 'localChain' | 'chainPort' | 'coldWallets'
> &
  Pick<Config, 'publicUrl' | 'operatorsFile' | 'largeDeposit'>

/** Without `SOLANA_RPC_URL` the chain is the local one, which answers while the game runs. */
export function chainOf({ solanaRpcUrls, cottonMint, cluster, localChain, chainPort }: OpsConfig) {
  const isRemote = solanaRpcUrls.length > 0
  return {
    solanaRpcUrls: isRemote ? solanaRpcUrls : [`http://127.0.0.1:${chainPort}`],
    cottonMint,
    cluster,
    localChain: localChain || !isRemote,
    // Commands move no tokens. The roles that do refuse such a token unless the settings allow it.
    freezableToken: 'allowed' as const,
  }
}

/** Runs one command. Throws a `StartupError` if it does not exist or its arguments are invalid. */
export async function runCommand(
  [name = '', ...args]: readonly string[],
  context: CommandContext,
): Promise<void> {
  const command = COMMANDS.get(name)
  if (!command) {
    const known = [...Object.keys(MAIN_USAGE), ...COMMANDS.keys(), ...Object.keys(BACKUP_USAGE)].join(', ')
    throw new StartupError(`There is no operator command "${name}". The commands are ${known}.`)
  }
  try {
    await command.run(context, readArguments(args, command))
  } catch (error) {
    if (error instanceof ChainUnavailable) throw new StartupError(error.message)
    if (error instanceof UnknownOutcomeError) {
      throw new StartupError(
        'The connection to the database broke while this was committed, so it may have happened: look at "npm run ops -- log" and "npm run ops -- status" before you repeat it.',
      )
    }
    if (isDatabaseUnavailable(error)) {
      const reason = (error instanceof Error && error.message) || errorCode(error)
      throw new StartupError(
        `The database does not answer (${reason}). What the command had begun may have happened: look at "npm run ops -- log" and "npm run ops -- status" before you repeat it.`,
      )
    }
    throw error
  }
}

/** Lists the commands with their options. */
export function showCommands(say: CommandContext['say']): void {
  const all: [string, { usage: string; description: string }][] = [
    ...Object.entries(MAIN_USAGE),
    ...COMMANDS,
    ...Object.entries(BACKUP_USAGE),
  ]
  for (const [name, { usage, description }] of all) say(`${`${name} ${usage}`.trim()}\n    ${description}`)
}
