import { formatCotton } from '#game/cotton.ts'
import type { Transparency } from '#web/api/use-transparency.ts'
import { classNames } from '#web/ui/class-names.ts'
import { frameBody, Panel } from '#web/ui/frame.tsx'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import styles from './transparency.module.css'

const FLOWS = ['emitted', 'burned', 'spent'] as const

/** Credit that was created and spent, in the last day and in total. */
export function FlowsPanel({ flows }: { flows: Transparency['flows'] }) {
  return (
    <Panel title={text.flows} id="flows" tone="info">
      <div className={classNames(frameBody, styles.list)}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">
                <span className="vh">{text.flow}</span>
              </th>
              <th scope="col">{text.lastDay}</th>
              <th scope="col">{text.allTime}</th>
            </tr>
          </thead>
          <tbody>
            {FLOWS.map((flow) => {
              const [name, means] = text.flowsOf[flow]
              return (
                <tr key={flow}>
                  <th scope="row">
                    <b>{name}</b>
                    <small>{means}</small>
                  </th>
                  <td className="num">+{formatCotton(flows[flow].lastDay)}</td>
                  <td className="num">{formatCotton(flows[flow].total)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
