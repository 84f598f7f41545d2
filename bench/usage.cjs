'use strict';

// Loaded into every Node process that is measured (NODE_OPTIONS). Writes the CPU time and the peak memory of the process to
// the file BENCH_USAGE when the process ends. Worker threads count, and so do child processes.

const { readFileSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

/** Milliseconds of a clock tick in /proc/PID/stat. */
const TICK_MS = 10;

if (isMainThread && process.env.BENCH_USAGE !== undefined)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    // After the name of the program, which may contain spaces. Fields 16 and 17 of the line are the CPU time of ended children.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const childrenMs = (Number(fields[13]) + Number(fields[14])) * TICK_MS;
    const [, peakKb] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    const usage = {
      cpuMs: (userCPUTime + systemCPUTime) / 1000 + childrenMs,
      peakBytes: Number(peakKb) * 1024,
    };
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
  });
