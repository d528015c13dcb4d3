import { readFileSync } from 'node:fs'
import { signAsync } from '@noble/ed25519'
import { getBase58Decoder, getBase58Encoder } from '@solana/kit'
import { type Act, findActProblem, LONGEST_REASON } from '#contract/console/acts.ts'
import { buildSignedForm, isSignedAs, SIGNED_FORMS } from '#server/account/signed-forms/signed-forms.ts'
import { findWaitingAct } from '#server/operators/find-waiting-act.ts'
import { readActOutcome, readNextNumber } from '#server/operators/operator-acts.ts'
import { prepareAct, rebuildMessage, type SignedAct, submitAct } from '#server/operators/submit-act.ts'
import type { ActContext } from '#server/operators/verify-act.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { siteOf } from '#server/platform/site.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { readActOrigin, readSignerState } from '#server/signer/signer-state.ts'
import { type ActSettings, type Arguments, type CommandContext, requireBoundChain } from './command.ts'

/** The options of every command that an operator signs. */
export const SIGNING_OPTIONS = ['operator', 'message', 'signature', 'key'] as const

/** How an operator signs, as part of a command's usage. */
export const SIGNING_USAGE =
  '--operator <wallet> | --message <file> --signature <file> | --key <keypair file>'

const POLL_MS = 250
const LONGEST_WAIT_MS = 20_000

/**
 * Does what an operator has to sign. With `--operator` it prints the message. With `--message` and `--signature`, or with
 * `--key`, it hands the signed act to the signer and prints what the signer did with it.
 */
export async function runAct(context: CommandContext, given: Arguments, act: Act): Promise<void> {
  const waitForOutcome = await beginAct(context, given, act)
  await waitForOutcome()
}

/** Waits for the signer and prints what it did. False if it is not done yet. Throws a `StartupError` if it was refused. */
export type WaitForOutcome = (longestWaitMs?: number) => Promise<boolean>

/** The same as `runAct` without waiting. */
export async function beginAct(context: CommandContext, given: Arguments, act: Act): Promise<WaitForOutcome> {
  requireValid(act)
  const { operator, message, signature, key } = given.options
  const ways = [operator, message ?? signature, key].filter((way) => way !== undefined)
  if (ways.length > 1) throw new StartupError(`Choose one way to sign: ${SIGNING_USAGE}.`)
  const { settings, acts } = await openActs(context)
  const now = context.clock.now()
  if (key !== undefined) {
    const number = await readNumber(context, acts, act)
    return submit(context, settings, acts, await signWithKey(acts, { act, path: key, number, now }))
  }
  if (message !== undefined && signature !== undefined) {
    const answer = await readAnswer(acts, { act, message, signature, now })
    return submit(context, settings, acts, answer)
  }
  if (message !== undefined || signature !== undefined)
    throw new StartupError(
      '--message and --signature belong together: the file that was signed, and the signature.',
    )
  if (operator === undefined) throw new StartupError(`An operator must sign this: ${SIGNING_USAGE}.`)
  const number = await readNumber(context, acts, act)
  const { toSign } = prepareAct(acts, act, { operator, number, now })
  for (const line of toSign.message.split('\n')) context.say(line)
  return async () => false
}

/** The number to sign with. Warns of an act that waits with the same one. */
async function readNumber(
  { db, clock, say, warn = say }: CommandContext,
  { operators }: ActContext,
  act: Act,
): Promise<number | null> {
  const number = await readNextNumber(db, act)
  const waiting = await findWaitingAct(db, { act, number, operators, now: clock.now() })
  if (waiting !== null) warn(`WARNING: ${waiting}`)
  return number
}

/** Whether the command can sign by itself, so that it may do several acts. */
export const canSign = ({ options }: Arguments): boolean => options.key !== undefined

function requireValid(act: Act): void {
  const problem = findActProblem(act)
  if (problem === 'reason')
    throw new StartupError(
      `--reason must be one line of at most ${LONGEST_REASON} characters: players read it.`,
    )
  if (problem !== null) throw new StartupError(`The ${problem} of this act is not valid.`)
}

async function openActs({
  db,
  acts: settings,
}: CommandContext): Promise<{ settings: ActSettings; acts: ActContext }> {
  if (!settings) throw new StartupError('This command needs the settings of the operators.')
  if (settings.operators.problem !== null) throw new StartupError(settings.operators.problem)
  return { settings, acts: await readActContext(db, settings) }
}

/** Where acts are valid: the host that the signer verifies them for, and the treasury that the database is bound to. */
export async function readActContext(db: Queryable, settings: ActSettings): Promise<ActContext> {
  const bound = await requireBoundChain(db)
  const read = await readActOrigin(db, settings.publicUrl)
  if ('problem' in read) throw new StartupError(read.problem)
  const site = siteOf({ publicUrl: read.origin }, bound.cluster)
  return { site, treasury: bound.treasury, operators: settings.operators }
}

type Signed = Omit<SignedAct, 'now'>

async function submit(
  context: CommandContext,
  settings: ActSettings,
  acts: ActContext,
  signed: Signed,
): Promise<WaitForOutcome> {
  const { db, clock } = context
  const { nonce, problem } = await submitAct(db, acts, { ...signed, now: clock.now() })
  if (problem !== null) throw new StartupError(problem)
  return (longestWaitMs = LONGEST_WAIT_MS) => waitForSigner(context, settings, { nonce, longestWaitMs })
}

async function waitForSigner(
  { db, clock, say }: CommandContext,
  settings: ActSettings,
  { nonce, longestWaitMs }: { nonce: string; longestWaitMs: number },
): Promise<boolean> {
  let waitsFor = ''
  for (let waited = 0; waited <= longestWaitMs; waited += POLL_MS) {
    const decided = await readActOutcome(db, nonce)
    if (decided?.state === 'done') {
      say(decided.outcome ?? 'Done.')
      return true
    }
    if (decided?.state === 'refused') throw new StartupError(decided.outcome ?? 'The signer refused it.')
    waitsFor = decided?.outcome ? ` It waits: ${decided.outcome}` : ''
    if (waited < longestWaitMs) await settings.sleep(POLL_MS)
  }
  const signer = await readSignerState(db, clock.now())
  const why =
    !signer || signer.silent
      ? 'The signer is not running'
      : `The signer runs, and has not executed it yet (${signer.stage})`
  say(
    `Signed and stored, not done yet. ${why}: it executes this when it next can, before the signature expires.${waitsFor}`,
  )
  return false
}

/** A Solana keypair file: the 64 bytes of secret and public key as a JSON list. */
async function signWithKey(
  acts: ActContext,
  { act, path, ...of }: { act: Act; path: string; number: number | null; now: Date },
): Promise<Signed> {
  const bytes = parseKeypair(readText(path, '--key'))
  if (!bytes) throw new StartupError(`${path} is not a Solana keypair file: a JSON list of 64 bytes.`)
  const operator = getBase58Decoder().decode(bytes.subarray(32))
  const { toSign } = prepareAct(acts, act, { operator, ...of })
  const signature = await signAsync(Buffer.from(toSign.message), bytes.subarray(0, 32))
  return { act, operator, message: toSign.message, signature: Buffer.from(signature).toString('base64') }
}

function parseKeypair(text: string): Uint8Array | null {
  try {
    const list: unknown = JSON.parse(text)
    const isBytes =
      Array.isArray(list) &&
      list.length === 64 &&
      list.every((each) => Number.isInteger(each) && each >= 0 && each < 256)
    return isBytes ? Uint8Array.from(list) : null
  } catch {
    return null
  }
}

async function readAnswer(
  acts: ActContext,
  of: { act: Act; message: string; signature: string; now: Date },
): Promise<Signed> {
  const message = readText(of.message, '--message').trimEnd()
  const operator = /^Operator: (\S+)$/m.exec(message)?.[1] ?? ''
  const signature = decodeSignature(readText(of.signature, '--signature').trim())
  if (!signature) throw new StartupError(`${of.signature} is not a signature in base58, base64 or hex.`)
  const claimed = { act: of.act, operator, message }
  const rebuilt = rebuildMessage(acts, { ...claimed, now: of.now })
  const answer = { ...claimed, signature: Buffer.from(signature).toString('base64') }
  if (rebuilt.problem !== null) return answer
  // Wallets that wrap messages sign other bytes.
  for (const form of SIGNED_FORMS) {
    if (!(await isSignedAs(acts.site, rebuilt.toSign, { form, signature }))) continue
    const bytes = buildSignedForm(acts.site, rebuilt.toSign, form)
    return { ...answer, signedMessage: Buffer.from(Uint8Array.from(bytes)).toString('base64') }
  }
  return answer
}

function decodeSignature(text: string): Uint8Array | null {
  if (/^[0-9a-f]{128}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[A-Za-z0-9+/]{86}==$/.test(text)) return Buffer.from(text, 'base64')
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)) return null
  const bytes = Uint8Array.from(getBase58Encoder().encode(text))
  return bytes.length === 64 ? bytes : null
}

function readText(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupError(`The file of ${option} cannot be read: ${path} (${errorCode(error)}).`)
  }
}
