"""The AWS CLI for a test that asks it some hundred times: loaded once, a child for each command line.

Usage: cli-server.py ENDPOINT_URL. Says its port on standard output. A request is the arguments, each ended by a NUL, and one more
NUL; the answer is what the CLI prints, a NUL, what it complains, a NUL, and its exit code.
"""

import contextlib
import io
import os
import socket
import sys

from awscli.clidriver import create_clidriver

# Keeps the descriptions of the services that the first calls load.
DRIVER = create_clidriver()


def call(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = DRIVER.main(["--endpoint-url", sys.argv[1], *arguments])
        except SystemExit as end:
            code = end.code
    return out.getvalue(), err.getvalue(), code


def serve(connection):
    received = b""
    while not received.endswith(b"\0\0"):
        received += connection.recv(65536)
    out, err, code = call(received.decode().split("\0")[:-2])
    connection.sendall(f"{out}\0{err}\0{code}".encode())


call(["ec2", "describe-vpcs"])
call(["iam", "list-roles"])
call(["eks", "list-clusters"])
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    if os.fork() == 0:
        serve(client)
        client.close()
        os._exit(0)
    client.close()
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
