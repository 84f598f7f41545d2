'use strict';

var fs = require('fs');
var os = require('os');
var path = require('path');
var spawn = require('child_process').spawn;

/** The Node that `npm install` puts into a checkout. An installed package has none. */
var OWN = path.join(__dirname, '..', 'node_modules', '.bin', 'node');

exports.isThere = function () {
  return process.platform !== 'win32' && fs.existsSync(OWN);
};

/** Runs a script with it. Streams, signals and the exit code pass through. */
exports.run = function (args) {
  var child = spawn(OWN, args, { stdio: 'inherit' });
  // On a terminal Ctrl-C reaches the child, too, and a second one would mean "stop now" to it.
  var isTerminal = [process.stdin, process.stdout, process.stderr].some(function (stream) {
    return stream.isTTY;
  });
  process.on('SIGINT', function () {
    if (!isTerminal) child.kill('SIGINT');
  });
  process.on('SIGTERM', function () {
    child.kill('SIGTERM');
  });
  child.on('close', function (code, signal) {
    process.exitCode = code === null ? 128 + os.constants.signals[signal] : code;
    process.removeAllListeners();
  });
};
