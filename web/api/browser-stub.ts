/** A browser's storage and events for tests without a browser. Import it before modules that read them. */
class MemoryStorage {
  #items = new Map<string, string>()
  get length(): number {
    return this.#items.size
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value)
  }
  removeItem(key: string): void {
    this.#items.delete(key)
  }
  clear(): void {
    this.#items.clear()
  }
}

Object.assign(globalThis, { localStorage: new MemoryStorage(), window: new EventTarget() })
