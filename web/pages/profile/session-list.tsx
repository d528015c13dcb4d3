import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endOtherSessions, endSession } from '#contract/sessions.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { mayHaveOthers, type PlayerSession, SESSIONS_KEY, useSessions } from '#web/api/use-sessions.ts'
import { securityMessages } from '#web/messages/en-security.ts'
import { messages } from '#web/messages/en.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { Loading } from '#web/ui/loading.tsx'
import { showToast } from '#web/ui/toast-store.ts'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { ListFailed } from './list-failed.tsx'
import styles from './security.module.css'

const TITLE_ID = 'sessions-title'

/** The player's logins; each other one can be logged out. */
export function SessionList() {
  const sessions = useSessions()
  const client = useQueryClient()
  const [busy, setBusy] = useState<readonly string[]>([])
  if (sessions.isPending) return <Loading text={messages.loading} />
  if (!sessions.data) return <ListFailed text={securityMessages.sessionsFailed} retry={sessions.refetch} />

  const run = async (name: string, work: () => Promise<string>): Promise<void> => {
    setBusy((names) => [...names, name])
    try {
      showToast({ kind: 'success', text: await work() })
      await client.invalidateQueries({ queryKey: SESSIONS_KEY })
    } catch (error) {
      showToast({ kind: 'error', text: getErrorMessage(error, securityMessages.failed) })
      void client.invalidateQueries({ queryKey: SESSIONS_KEY })
    }
    setBusy((names) => names.filter((each) => each !== name))
  }
  const end = (sessionId: string) =>
    run(sessionId, async () => {
      await call(endSession, { body: { sessionId } })
      return securityMessages.loggedOut
    })
  const endOthers = () =>
    run('others', async () => {
      const { ended } = await call(endOtherSessions, { body: {} })
      return securityMessages.loggedOutOthers(ended)
    })
  return (
    <section className={styles.part} aria-labelledby={TITLE_ID}>
      <h3 className={styles.heading} id={TITLE_ID} tabIndex={-1}>
        {securityMessages.sessions}
      </h3>
      <ul className={styles.sessions}>
        {sessions.data.map((session) => (
          <Row
            key={session.id}
            session={session}
            busy={busy.includes(session.id)}
            end={() => void end(session.id)}
          />
        ))}
      </ul>
      {mayHaveOthers(sessions.data) ? (
        <TransientButton
          block
          size="sm"
          tone="berry"
          focusAfter={TITLE_ID}
          busy={busy.includes('others')}
          onClick={() => void endOthers()}
        >
          {securityMessages.logOutOthers}
        </TransientButton>
      ) : (
        <p className={styles.text}>{securityMessages.onlyHere}</p>
      )}
    </section>
  )
}

function Row({ session, busy, end }: { session: PlayerSession; busy: boolean; end: () => void }) {
  const { device, address, createdAt, seenAt, active, current } = session
  const name = device || securityMessages.unknownDevice
  return (
    <li className={styles.session}>
      <div>
        <b>
          {name}
          {current || !active ? (
            <span className={styles.badge}>
              {current ? securityMessages.thisDevice : securityMessages.ended}
            </span>
          ) : null}
        </b>
        <small>
          {address ? `${securityMessages.from(address)} · ` : ''}
          {securityMessages.loggedIn(formatMoment(createdAt))}
          {' · '}
          {securityMessages.lastSeen(formatMoment(seenAt))}
        </small>
      </div>
      {active && !current ? (
        <TransientButton size="sm" focusAfter={TITLE_ID} busy={busy} onClick={end}>
          <span>{securityMessages.logOut}</span>
          <span className="vh"> {name}</span>
        </TransientButton>
      ) : null}
    </li>
  )
}
