import { Fragment } from 'react'

/** An id such as `grandma-0001` or `EU-MT`. A line never breaks at its hyphen. */
const IDS = /(\b\w+-\w+\b)/

/** A sentence whose ids stay on one line. Its text is unchanged. */
export function OutcomeText({ text }: { text: string }) {
  return text.split(IDS).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
