import { useMutation, useQueryClient } from '@tanstack/react-query'
import { memo, useRef } from 'react'
import { formatCotton } from '#game/cotton.ts'
import { claimable, generated, placeOf, WORKERS, type WorkerType } from '#game/workers.ts'
import { claimWorker } from '#contract/workers.ts'
import { accrualOf } from '#web/api/accrual.ts'
import { call } from '#web/api/call.ts'
import { readAmount } from '#web/api/complete.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { readBalanceIfInDoubt, setBalance } from '#web/api/use-balance.ts'
import { type OwnedWorker, OWNED_WORKERS_KEY } from '#web/api/use-owned-workers.ts'
import { useServerNow } from '#web/api/use-server-now.ts'
import { playEffect } from '#web/audio/sound.ts'
import coin from '#web/art/coin.svg'
import { workerArt } from '#web/art/worker-art.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { useInView } from '#web/ui/use-in-view.ts'
import { useIsRunning, usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { farmMessages } from '#web/messages/en-farm.ts'
import { workersMessages } from '#web/messages/en-workers.ts'
import styles from './workers.module.css'

/** The id of a type's title. It takes over the focus of a card that leaves the list, as a claimed one may. */
export const groupTitleId = (type: WorkerType): string => `group-${type}`

/** One worker. It is updated only while it is in view, because there can be thousands. */
export const WorkerCard = memo(function WorkerCard({ worker }: { worker: OwnedWorker }) {
  const { workerId, workerType } = worker
  const card = useRef<HTMLDivElement>(null)
  const now = useServerNow(useInView(card))
  const accrual = accrualOf(worker)
  const available = claimable(accrual, now)
  const { claim, claiming, resting } = useClaimWorker(workerId)
  return (
    <Frame small className={styles.card} aria-labelledby={`${workerId}-name ${workerId}`} ref={card}>
      <Avatar picture={workerArt[workerType].face} className={styles.avatar} />
      <div className={styles.facts}>
        <h4 className={styles.name} id={`${workerId}-name`}>
          {workersMessages.named(WORKERS[workerType].name, placeOf(workerType, workerId))}
        </h4>
        <p className={styles.id} id={workerId}>
          {workerId}
        </p>
        <dl className={`${styles.figure} ${styles.generated}`}>
          <dt>{workersMessages.generated}</dt>
          <dd className="num">{formatCotton(generated(accrual, now))}</dd>
        </dl>
      </div>
      <div className={styles.foot}>
        <dl className={`${styles.figure} ${styles.ready}`}>
          <dt>{workersMessages.available}</dt>
          <dd className={`${styles.price} num`}>
            <img src={coin} width="22" height="22" alt="" />
            <span>{formatCotton(available)}</span>
          </dd>
        </dl>
        <TransientButton
          movesValue
          focusAfter={groupTitleId(workerType)}
          tone={available > 0n ? 'sun' : 'paper'}
          size="sm"
          block
          className={styles.act}
          busy={claiming}
          ariaDisabled={available <= 0n && !claiming}
          resting={resting}
          onClick={claim}
        >
          {workersMessages.claim}
        </TransientButton>
      </div>
    </Frame>
  )
})

function useClaimWorker(workerId: string) {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce(`claim-${workerId}`)
  // Then nothing is left for this claim, which would fail.
  const waits = useIsRunning('claim-all')
  const mutation = useMutation({
    mutationFn: () => call(claimWorker, { body: { workerId } }),
    onSuccess: async (reply) => {
      setBalance(client, reply)
      playEffect('claim')
      const text = farmMessages.claimed(readAmount(reply.claimedAmount))
      showToast({ kind: 'success', title: farmMessages.harvest, text })
      await client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY })
    },
    onError: (error) => {
      readBalanceIfInDoubt(client, error)
      showToast({
        kind: 'error',
        title: farmMessages.claimFailedTitle,
        text: getErrorMessage(error, farmMessages.claimFailed),
      })
      void client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY })
    },
  })
  return { claim: () => press(() => mutation.mutateAsync()), claiming: running, resting: resting || waits }
}
