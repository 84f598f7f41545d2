// Where several decisions are written down.

export const SILENT = 'emulator.md, "Decisions where the interface is silent"';
export const FRAMEWORK = 'deployments.md, "Framework behaviour"';
export const BOUNDS = 'deployments.md, "Shapes and bounds"';
export const TOKENS = 'deployments.md, "Getting a token"';
