// node health.mjs <url>

const response = await fetch(`${process.argv[2]}/_local/health`);
console.log(await response.text());
