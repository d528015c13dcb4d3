import { Query } from 'pg'

// What the types of the library leave out of its queries and its connection. `journey.test.ts` holds it to them.
type Wire = {
  stream: { cork(): void; uncork(): void }
  execute(portal: object): void
  sync(): void
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}
type Inside = {
  name: string
  text: string
  _result: { _types: unknown }
  callback: (error: Error | null, result: { rows: unknown[] }) => void
  prepare(wire: Wire): void
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, wire: Wire): void
  handleReadyForQuery(wire: Wire): void
  handleError(error: Error, wire: Wire): void
}

/** A statement that leaves the word that ends a journey to the journey. */
class Part extends Query {
  _getRows(wire: Wire): void {
    wire.execute({})
  }
}

type Statement = { name: string; text: string; values: unknown[] }

/**
 * Several statements that travel as one: Postgres does them in order and answers all of them in one piece. Behind one
 * that fails it does none, and those fail with its error. The library ends every statement by a word of its own, which
 * Postgres answers at once, so that each costs both sides a system call and a turn.
 */
export class Journey extends Query {
  readonly parts: (Part & Inside)[] = []
  private done = 0

  constructor() {
    super({ text: '', name: 'journey' })
  }

  add(statement: Statement, answer: (error: Error | null, rows: unknown[]) => void): void {
    const part = new Part(statement) as unknown as Part & Inside
    part.callback = (error, result) => answer(error, error ? [] : result.rows)
    this.parts.push(part)
  }

  override submit = (connection: unknown): null => {
    const wire = connection as Wire
    wire.stream.cork()
    for (const part of this.parts) {
      // oxlint-disable-next-line no-underscore-dangle
      part._result._types = (this as unknown as Inside)._result._types
      part.prepare(wire)
    }
    wire.sync()
    wire.stream.uncork()
    this.tellName()
    return null
  }

  handleRowDescription(message: object): void {
    this.parts[this.done]!.handleRowDescription(message)
  }

  handleDataRow(message: object): void {
    this.parts[this.done]!.handleDataRow(message)
  }

  handleCommandComplete(message: object, wire: Wire): void {
    this.parts[this.done]!.handleCommandComplete(message, wire)
    this.done += 1
    this.tellName()
  }

  handleReadyForQuery(wire: Wire): void {
    for (const part of this.parts) part.handleReadyForQuery(wire)
  }

  handleError(error: Error, wire: Wire): void {
    for (const part of this.parts.slice(0, this.done)) part.handleReadyForQuery(wire)
    for (const part of this.parts.slice(this.done)) {
      // Postgres has not read it, unless it says so.
      if (!wire.parsedStatements[part.name]) delete wire.submittedNamedStatements[part.name]
      part.handleError(error, wire)
    }
  }

  // The connection writes down, under the name of what it is at, that Postgres knows the statement.
  private tellName(): void {
    const part = this.parts[this.done]
    if (part) Object.assign(this, { name: part.name, text: part.text })
  }
}
