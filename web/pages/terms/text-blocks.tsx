import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ReplyOf } from '#contract/route.ts'
import type { readTerms } from '#contract/site.ts'
import { messages } from '#web/messages/en.ts'
import styles from './terms.module.css'

type Block = ReplyOf<typeof readTerms>['blocks'][number]
type Run = Block['lines'][number][number]

/** The operator's text as headings, paragraphs and lists. Markup in it is shown as text. */
export function TextBlocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={styles.text}>
      {blocks.map((block, at) => (
        <Part key={at} block={block} />
      ))}
    </div>
  )
}

function Part({ block: { kind, lines } }: { block: Block }): ReactNode {
  if (kind === 'list') {
    return (
      <ul className={styles.list}>
        {lines.map((line, at) => (
          <li key={at}>
            <Line runs={line} />
          </li>
        ))}
      </ul>
    )
  }
  const runs = lines[0] ?? []
  if (kind === 'heading') {
    return (
      <h2 className={styles.title}>
        <Line runs={runs} />
      </h2>
    )
  }
  return (
    <p>
      <Line runs={runs} />
    </p>
  )
}

const Line = ({ runs }: { runs: readonly Run[] }): ReactNode =>
  runs.map((run, at) => <TextRun key={at} run={run} />)

function TextRun({ run: { text, strong, href } }: { run: Run }): ReactNode {
  if (href === null) return strong ? <b>{text}</b> : text
  if (href.startsWith('/')) return <Link to={href}>{text}</Link>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
      <span className="vh"> {messages.newTab}</span>
    </a>
  )
}
