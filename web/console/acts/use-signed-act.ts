import { useEffect, useRef, useState } from 'react'
import { prepareAct, readAct, submitAct } from '#contract/console/act-list.ts'
import type { Act } from '#contract/console/acts.ts'
import { pause } from '#web/api/pause.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import { untilCancelled } from '#web/wallet/until-cancelled.ts'
import { call } from '../api/call.ts'
import { ConsoleError, sentenceOf } from '../api/console-error.ts'
import { queryClient } from '../api/queries.ts'
import { prepareSigning } from '../api/sign-in.ts'
import type { Phase, Prepared } from './signing-phase.ts'

const POLL_MS = 1_000
/** The signer's round takes seconds. Later the dialog says that the act waits. */
const MAX_POLLS = 30

type Signing = Awaited<ReturnType<typeof prepareSigning>>

/** The steps of one signed act. A step that fails returns to the one before it, with a sentence. */
export function useSignedAct() {
  const [phase, setPhase] = useState<Phase>({ name: 'form', problem: null })
  const asked = useRef<{ act: Act; signing: Signing } | null>(null)
  const closed = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    closed.current = controller
    return () => controller.abort()
  }, [])

  const prepare = async (act: Act): Promise<void> => {
    setPhase({ name: 'preparing' })
    try {
      const signing = await prepareSigning(closed.current.signal)
      const { signal } = closed.current
      const prepared = await call(prepareAct, { body: { act, ...signing.form }, signal })
      asked.current = { act, signing }
      setPhase({ name: 'message', prepared, problem: null })
    } catch (error) {
      setPhase({ name: 'form', problem: problemOf(error) })
    }
  }

  const sign = async (prepared: Prepared): Promise<void> => {
    if (asked.current === null) return
    const { act, signing } = asked.current
    setPhase({ name: 'signing', prepared })
    try {
      // A wallet may never answer. What it signs after the dialog was closed is not submitted.
      const signed = await untilCancelled(signing.sign(prepared), closed.current.signal)
      setPhase({ name: 'submitting', prepared })
      await call(submitAct, { body: { act, message: prepared.message, ...signed } })
      await follow(prepared.nonce)
    } catch (error) {
      if (!(error instanceof ConsoleError))
        return setPhase({ name: 'message', prepared, problem: problemOf(error) })
      if (error.isInDoubt) return setPhase({ name: 'in-doubt', prepared })
      setPhase({ name: 'ended', outcome: 'refused', text: error.message })
    } finally {
      void queryClient.invalidateQueries()
    }
  }

  /** Waits until the signer has executed or refused the act. */
  const follow = async (nonce: string): Promise<void> => {
    setPhase({ name: 'executing', why: null })
    const { signal } = closed.current
    let why: string | null = null
    for (let poll = 0; poll < MAX_POLLS && !signal.aborted; poll += 1) {
      await pause(POLL_MS, signal).catch(() => undefined)
      const found = await call(readAct, { query: { nonce }, signal }).catch(() => null)
      if (found === null) continue
      if (found.act.state === 'waiting') {
        why = found.act.outcome
        setPhase({ name: 'executing', why })
        continue
      }
      void queryClient.invalidateQueries()
      return setPhase({ name: 'ended', outcome: found.act.state, text: found.act.outcome ?? '' })
    }
    const { stillWaiting, waits } = actMessages
    const text = why === null ? stillWaiting : `${stillWaiting} ${waits(why)}`
    if (!signal.aborted) setPhase({ name: 'ended', outcome: 'submitted', text })
  }

  /** Whether an act whose answer was lost has been submitted. */
  const check = async (prepared: Prepared): Promise<void> => {
    const { nonce } = prepared
    try {
      await call(readAct, { query: { nonce }, signal: closed.current.signal })
      await follow(nonce)
    } catch (error) {
      const isUnknown = error instanceof ConsoleError && error.code === 'act_not_found'
      setPhase(
        isUnknown
          ? { name: 'message', prepared, problem: actMessages.notSubmitted }
          : { name: 'in-doubt', prepared },
      )
    }
  }

  return { phase, prepare, sign, check, back: () => setPhase({ name: 'form', problem: null }) }
}

const problemOf = (error: unknown): string =>
  error instanceof LoginError ? error.message : sentenceOf(error, actMessages.failed)
