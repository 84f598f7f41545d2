/** A step that gives something back: closes a file, a connection, a server. */
export type ClosingStep = () => void | Promise<void>;

/** Registers a closing step. The steps run after the command, however it ended, the last registered first. */
export type OnClose = (close: ClosingStep) => void;
