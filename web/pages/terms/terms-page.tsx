import { useQuery } from '@tanstack/react-query'
import { readTerms } from '#contract/site.ts'
import type { ReplyOf } from '#contract/route.ts'
import { call } from '#web/api/call.ts'
import { complete, orNull } from '#web/api/complete.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Unreachable } from '#web/shell/unreachable.tsx'
import { Frame, frameBody } from '#web/ui/frame.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { termsMessages } from '#web/messages/en-terms.ts'
import { messages } from '#web/messages/en.ts'
import { formatDate } from '#web/messages/locale.ts'
import styles from './terms.module.css'
import { TextBlocks } from './text-blocks.tsx'

const RUN = { text: '–', strong: false, href: orNull('–') }
const EXAMPLE: ReplyOf<typeof readTerms> = {
  blocks: [{ kind: 'paragraph', lines: [[RUN]] }],
  changedAt: orNull('–'),
}

const readText = async (signal: AbortSignal) => complete(EXAMPLE, await call(readTerms, { signal }))

/** The terms and risks in the operator's text. */
export default function TermsPage() {
  return (
    <>
      <PageHeader title={termsMessages.page} sub={termsMessages.sub} />
      <Content />
    </>
  )
}

function Content() {
  const terms = useQuery({ queryKey: ['terms'], queryFn: ({ signal }) => readText(signal) })
  if (!terms.data) {
    if (terms.isError) {
      return <Unreachable title={termsMessages.failed} retry={() => void terms.refetch()} />
    }
    return (
      <Frame>
        <Loading text={messages.loading} />
      </Frame>
    )
  }
  const { blocks, changedAt } = terms.data
  return (
    <Frame aria-label={termsMessages.page}>
      <div className={frameBody}>
        <TextBlocks blocks={blocks} />
        {changedAt ? (
          <p className={styles.changed}>
            {termsMessages.changed} <time dateTime={changedAt}>{formatDate(changedAt)}</time>
          </p>
        ) : null}
      </div>
    </Frame>
  )
}
