// The types of htm.js, which is a file of the package (page-routes.ts).
export * from 'htm/preact';
