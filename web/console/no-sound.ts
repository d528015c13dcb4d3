/** In place of the game's sounds. */
export const playEffect = (): void => {}
