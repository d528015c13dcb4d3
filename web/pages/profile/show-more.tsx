import warning from '#web/art/icons/warning.webp'
import { MoreButton } from '#web/ui/more-button.tsx'
import { Note } from '#web/ui/note.tsx'
import { historyMessages } from '#web/messages/en-history.ts'
import styles from './profile.module.css'

type ShowMoreProps = {
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
}

/** The button for the next page of a list, and that this page could not be read. Nothing at the end of the list. */
export function ShowMore({ list }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  if (!hasNextPage) return null
  return (
    <div className={styles.more}>
      <MoreButton rows="li" size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {historyMessages.more}
      </MoreButton>
      {isFetchNextPageError ? (
        <Note tone="bad" picture={warning} role="alert" className={styles.split}>
          {historyMessages.moreFailed}
        </Note>
      ) : null}
    </div>
  )
}
